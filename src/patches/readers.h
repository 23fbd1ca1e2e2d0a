// Files of patches, from memory: what reads them from disk calls these.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "throng/patch_district.h"
#include "throng/patch_files.h"

#include "base/archive.h"

namespace throng::patches {

inline constexpr base::ArchiveKind kLibraryKind{"patch library", 1};

/// A sealed library. `name` is for messages. Throws InputError.
PatchLibrary libraryFrom(std::string_view bytes, const std::string& name);
/// As it is sealed.
std::string bytesOf(const PatchLibrary& library);

/// A map of templates, and the scene it is for, if any; `image` gives the bytes of the image that it names. Throws
/// InputError, and what that throws.
PatchDistrictFile districtFrom(const std::string& json, const std::string& name,
                               const std::function<std::string(const std::string& image_name)>& image);

}  // namespace throng::patches
