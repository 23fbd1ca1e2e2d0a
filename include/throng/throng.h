// Throng populates virtual worlds with people. This header is the whole interface; see docs/programming.md.
#pragma once

#include "throng/base.h"
#include "throng/draw.h"
#include "throng/files.h"
#include "throng/frame.h"
#include "throng/import.h"
#include "throng/mesh.h"
#include "throng/metrics.h"
#include "throng/models.h"
#include "throng/navigation.h"
#include "throng/navigation_graph.h"
#include "throng/recording.h"
#include "throng/scene.h"
#include "throng/shapes.h"
#include "throng/sight.h"
#include "throng/text.h"
#include "throng/world.h"
