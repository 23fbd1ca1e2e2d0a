// HDF5 as the Pedestrian Dynamics Data Archive of Forschungszentrum Jülich has it: one table /trajectory.
//
// The library cannot promise that a file it has open survives being killed: it changes several places of the file one
// after the other. So the library only makes the beginning of the file, in memory, with a table of a marked number of
// rows that is stored in one piece and not yet anywhere. The rows are then appended behind it; and a commit sets the
// number of rows, their place and the length of the file, all in the first page, with one system call. At any moment
// the file is whole.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <hdf5.h>
#include <iterator>
#include <vector>

#include "record/change_text.h"
#include "record/hdf5_library.h"
#include "record/output_file.h"
#include "record/writer.h"

namespace throng::record {
namespace {

struct Hdf5Row {
  std::int64_t id, frame;
  double x, y, z;  // m
};

/// Number of rows that no file has, by which the places that say it are found. Times 40 it fits into 63 bits.
constexpr std::uint64_t kMarkedRows = 0x00005a1793c64e2bu;
constexpr std::size_t kPage = 4096;
/// In the superblock (version 0): where the file ends.
constexpr std::size_t kEndOfFileOffset = 40;
/// Rows kept until the next commit; beyond them, rows are written ahead of it.
constexpr std::size_t kBufferRows = 1u << 15;

/// Room that is kept for changes, several hundred of them: what comes later would have to stand behind the rows, which
/// are in one piece. The beginning of the text says where the room is.
constexpr std::size_t kChangeBytes = 1u << 16;
constexpr std::string_view kChangesTitle = "# time\tkind\tlayer\tshape\tname\n";

Hdf5Id stringType() {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

bool addChanges(hid_t file) {
  const hsize_t size = kChangeBytes;
  const Hdf5Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Id changes(
      H5Dcreate2(file, "throng_changes", H5T_STD_U8LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  std::string text(kChangesTitle);
  text.resize(kChangeBytes, '\0');
  return changes && H5Dwrite(changes.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0;
}

/// In memory, so that a full disk is our error and not one that the library takes along to the end of the program.
/// Empty when it cannot be made.
std::string beginningOfFile(const Facts& facts) {
  const Hdf5Lock lock;
  // Earliest format: no mark in the file that it is open for writing, and every version of the library reads it.
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  H5Pset_fapl_core(access.get(), 1u << 16, false);
  const Hdf5Id file(H5Fcreate("recording", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  if (!file) return {};
  const Hdf5Id type(H5Tcreate(H5T_COMPOUND, sizeof(Hdf5Row)), H5Tclose);
  H5Tinsert(type.get(), "id", offsetof(Hdf5Row, id), H5T_STD_I64LE);
  H5Tinsert(type.get(), "frame", offsetof(Hdf5Row, frame), H5T_STD_I64LE);
  H5Tinsert(type.get(), "x", offsetof(Hdf5Row, x), H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "y", offsetof(Hdf5Row, y), H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "z", offsetof(Hdf5Row, z), H5T_IEEE_F64LE);
  const hsize_t rows = kMarkedRows;
  const Hdf5Id space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
  H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_LATE);
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  Hdf5Id table(H5Dcreate2(file.get(), "trajectory", type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
               H5Dclose);
  if (!table) return {};
  const Hdf5Id scalar(H5Screate(H5S_SCALAR), H5Sclose);
  Hdf5Id rate(H5Acreate2(table.get(), "fps", H5T_IEEE_F64LE, scalar.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!rate || H5Awrite(rate.get(), H5T_NATIVE_DOUBLE, &facts.frames_per_second) < 0) return {};
  rate.reset();
  const auto addText = [&](const char* name, const std::string& value) {
    const Hdf5Id text = stringType();
    const Hdf5Id attribute(H5Acreate2(file.get(), name, text.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* bytes = value.c_str();
    return value.empty() || (attribute && H5Awrite(attribute.get(), text.get(), &bytes) >= 0);
  };
  if (!facts.geometry_wkt.empty() && !addText("wkt_geometry", facts.geometry_wkt)) return {};
  if (!facts.scene_json.empty() && !addText("throng_scene", facts.scene_json)) return {};
  if (!addChanges(file.get())) return {};
  table.reset();
  if (H5Fflush(file.get(), H5F_SCOPE_GLOBAL) < 0) return {};
  const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
  std::string image(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
  return H5Fget_file_image(file.get(), image.data(), image.size()) == size ? image : std::string();
}

class Hdf5Writer : public Writer {
 public:
  Hdf5Writer(const std::string& path, const Facts& facts) : file_(path) {
    const std::string beginning = beginningOfFile(facts);
    findPlaces(beginning);
    page_ = beginning.substr(0, kPage);
    first_row_ = (beginning.size() + kPage - 1) / kPage * kPage;
    end_ = first_row_;
    file_.writeAt(page_.size(), std::string_view(beginning).substr(page_.size()));
    const std::size_t changes = beginning.find(kChangesTitle);
    if (changes != std::string::npos && changes >= kPage && changes + kChangeBytes <= beginning.size()) {
      next_change_ = changes + kChangesTitle.size();
      end_of_changes_ = changes + kChangeBytes;
    }
    setRows();
  }
  ~Hdf5Writer() override {
    if (!finished_) file_.truncate(committed_);
  }

  void write(std::int64_t number, const FrameCopy& frame, std::span<const Arrival>) override {
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      rows_.push_back({frame.person[i], number, frame.x[i], frame.y[i], frame.z[i]});
    }
    if (rows_.size() >= kBufferRows) flush();
  }
  /// A line that is cut off when the program is killed is not taken for a change.
  void writeChange(const Change& change) override {
    const std::string line = changeText(change) + '\n';
    if (next_change_ + line.size() > end_of_changes_) {
      end_of_changes_ = 0;  // no later one either: a list with a gap would be wrong
      return;
    }
    file_.writeAt(next_change_, line);
    next_change_ += line.size();
  }
  void commit() override {
    flush();
    setRows();
  }
  void finish() override {
    commit();
    file_.close();
    finished_ = true;
  }

 private:
  void flush() {
    const std::string_view bytes(reinterpret_cast<const char*>(rows_.data()), rows_.size() * sizeof(Hdf5Row));
    file_.writeAt(end_, bytes);
    end_ += bytes.size();
    rows_.clear();
  }

  /// Where the beginning says how many rows there are, how many bytes, and where.
  void findPlaces(const std::string& beginning) {
    const auto find = [&](std::uint64_t value) {
      char bytes[8];
      std::memcpy(bytes, &value, 8);
      std::vector<std::size_t> found;
      for (std::size_t at = 0; (at = beginning.find(bytes, at, 8)) != std::string::npos; ++at) found.push_back(at);
      return found;
    };
    count_places_ = find(kMarkedRows);
    const auto sizes = find(kMarkedRows * sizeof(Hdf5Row));
    // In the layout message the address stands before the size; it is not set yet.
    const bool known = !count_places_.empty() && sizes.size() == 1 && sizes[0] >= 8 && sizes[0] + 8 <= kPage &&
                       count_places_.back() + 8 <= kPage && beginning.size() > kEndOfFileOffset + 8 &&
                       beginning[8] == 0 && beginning.compare(sizes[0] - 8, 8, std::string(8, '\xff')) == 0;
    if (!known)
      throw FileError(fmt::format("{}: this HDF5 library lays out files in a way not known here", file_.path()));
    size_place_ = sizes[0];
  }

  void setRows() {
    const std::uint64_t size = end_ - first_row_;
    const auto set = [this](std::size_t place, std::uint64_t value) { std::memcpy(page_.data() + place, &value, 8); };
    for (const std::size_t place : count_places_) set(place, size / sizeof(Hdf5Row));
    set(size_place_, size);
    set(size_place_ - 8, size == 0 ? ~std::uint64_t{0} : first_row_);
    if (size > 0) set(kEndOfFileOffset, end_);
    file_.writeAt(0, page_);
    committed_ = end_;
  }

  OutputFile file_;
  std::string page_;                       ///< the first page of the file
  std::vector<std::size_t> count_places_;  ///< the number of rows (and the most there may be, the same)
  std::size_t size_place_ = 0;             ///< the number of bytes; the address of the rows stands before it
  std::uint64_t first_row_ = 0, end_ = 0, committed_ = 0;
  std::uint64_t next_change_ = 0, end_of_changes_ = 0;
  bool finished_ = false;
  std::vector<Hdf5Row> rows_;
};

}  // namespace

std::unique_ptr<Writer> makeHdf5Writer(const std::string& path, const Facts& facts) {
  return std::make_unique<Hdf5Writer>(path, facts);
}

}  // namespace throng::record
