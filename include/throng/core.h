// What the library throng::core has: worlds, maps, routes, metrics, views. No files of others, no pictures, no
// recordings; scenes are made in code. See docs/programming.md.
#pragma once

#include "throng/base.h"
#include "throng/extend.h"
#include "throng/files.h"
#include "throng/frame.h"
#include "throng/frame_source.h"
#include "throng/mesh.h"
#include "throng/metrics.h"
#include "throng/models.h"
#include "throng/navigation.h"
#include "throng/navigation_graph.h"
#include "throng/navigation_views.h"
#include "throng/places.h"
#include "throng/routes.h"
#include "throng/scene.h"
#include "throng/shapes.h"
#include "throng/sight.h"
#include "throng/text.h"
#include "throng/views.h"
#include "throng/world.h"
#include "throng/world_frames.h"
