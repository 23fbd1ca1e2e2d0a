// What the writer and the reader of PeTrack text and CSV agree on.
#pragma once

#include <cstddef>
#include <string_view>

namespace throng::record {

/// No line of ours crosses a border between pages of this size (the next line is moved there by spaces before it),
/// every system call writes within one page, which the kernel does not leave half done, and no commit ends on a border
/// (it adds an empty line if it must). So a killed run leaves whole lines only; and a file that ends on a border was
/// cut short, so that its last frame may lack people and is dropped by the reader.
inline constexpr std::size_t kTextPage = 4096;

inline constexpr std::string_view kTextMark = "# written by Throng";
/// The scene as JSON, in one line, before the first row; and a line for each change, among the rows.
inline constexpr std::string_view kSceneMark = "# scene: ", kChangeMark = "# change: ";
inline constexpr std::string_view kCsvHeader = "frame,id,x,y,z,heading,population,time";

}  // namespace throng::record
