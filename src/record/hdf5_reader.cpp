#include "record/hdf5_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "record/change_text.h"
#include "record/hdf5_library.h"

namespace throng::record {
namespace {

/// How a number stands in the file. Rows are read as they are and taken apart here: the library's own conversion of
/// tables trusts what a damaged file says about them.
struct NumberType {
  std::size_t offset = 0, size = 0;
  bool real = false, is_signed = false, big_endian = false;
};

/// Any plain integer or IEEE number; nothing for other types.
std::optional<NumberType> numberType(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) return std::nullopt;
  struct Known {
    hid_t type;
    NumberType number;
  };
  const Known known[] = {
      {H5T_STD_I8LE, {0, 1, false, true, false}},  {H5T_STD_U8LE, {0, 1, false, false, false}},
      {H5T_STD_I16LE, {0, 2, false, true, false}}, {H5T_STD_U16LE, {0, 2, false, false, false}},
      {H5T_STD_I32LE, {0, 4, false, true, false}}, {H5T_STD_U32LE, {0, 4, false, false, false}},
      {H5T_STD_I64LE, {0, 8, false, true, false}}, {H5T_STD_U64LE, {0, 8, false, false, false}},
      {H5T_STD_I16BE, {0, 2, false, true, true}},  {H5T_STD_U16BE, {0, 2, false, false, true}},
      {H5T_STD_I32BE, {0, 4, false, true, true}},  {H5T_STD_U32BE, {0, 4, false, false, true}},
      {H5T_STD_I64BE, {0, 8, false, true, true}},  {H5T_STD_U64BE, {0, 8, false, false, true}},
      {H5T_IEEE_F32LE, {0, 4, true, true, false}}, {H5T_IEEE_F64LE, {0, 8, true, true, false}},
      {H5T_IEEE_F32BE, {0, 4, true, true, true}},  {H5T_IEEE_F64BE, {0, 8, true, true, true}},
  };
  for (const Known& candidate : known) {
    if (H5Tequal(type, candidate.type) > 0) return candidate.number;
  }
  return std::nullopt;
}

std::uint64_t bitsOf(const NumberType& type, const char* row) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < type.size; ++i) {
    const auto byte = static_cast<unsigned char>(row[type.offset + (type.big_endian ? i : type.size - 1 - i)]);
    bits = bits << 8 | byte;
  }
  return bits;
}

double realOf(const NumberType& type, const char* row);

std::int64_t wholeOf(const NumberType& type, const char* row) {
  if (type.real) {
    const double value = realOf(type, row);
    return std::abs(value) < 9e15 && value == std::floor(value) ? static_cast<std::int64_t>(value) : -1;
  }
  const unsigned unused = static_cast<unsigned>(64 - 8 * type.size);
  const std::uint64_t high = bitsOf(type, row) << unused;
  return type.is_signed ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

double realOf(const NumberType& type, const char* row) {
  if (!type.real) return static_cast<double>(wholeOf(type, row));
  if (type.size == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bitsOf(type, row)));
  return std::bit_cast<double>(bitsOf(type, row));
}

constexpr hsize_t kBlockRows = 1u << 15;
/// The most that deflate can shrink anything.
constexpr double kStrongestCompression = 1100;
constexpr std::size_t kLongestRow = 1u << 16, kLongestText = 256u << 20;  // bytes

class Hdf5Rows : public RowSource {
 public:
  explicit Hdf5Rows(const std::string& path) : path_(path) {
    try {
      const Hdf5Lock lock;
      open();
    } catch (...) {
      close();
      throw;
    }
  }
  ~Hdf5Rows() override { close(); }

  const Facts& facts() const override { return facts_; }
  const char* placeName() const override { return "row"; }
  void rewind() override {
    begin_ = end_ = 0;
    block_.clear();
    block_rows_ = 0;
  }

  bool next(Row& row) override {
    if (begin_ == end_ && !readBlock()) return false;
    const char* found = block_.data() + (block_rows_ - (end_ - begin_)) * row_size_;
    row = {};
    row.place = ++begin_;
    row.id = wholeOf(id_, found);
    row.frame = wholeOf(frame_, found);
    row.x = realOf(x_, found);
    row.y = realOf(y_, found);
    if (z_) row.z = realOf(*z_, found);
    return true;
  }

 private:
  void open() {
    file_ = Hdf5Id(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file_)
      badInput(path_, "the HDF5 library cannot open it: the file is damaged, cut short, or still being written");
    if (H5Lexists(file_.get(), "trajectory", H5P_DEFAULT) > 0) {
      table_ = Hdf5Id(H5Dopen2(file_.get(), "trajectory", H5P_DEFAULT), H5Dclose);
    }
    if (!table_) badInput(path_, "there is no dataset 'trajectory', so it is not a recording");
    openTable();
    if (!readRate(table_.get()) && !readRate(file_.get())) {
      badInput(path_, "the dataset 'trajectory' has no attribute 'fps' that is a number");
    }
    if (!readText(file_.get(), "wkt_geometry", facts_.geometry_wkt))
      readText(table_.get(), "wkt_geometry", facts_.geometry_wkt);
    readText(file_.get(), "throng_scene", facts_.scene_json);
    readChanges();
  }

  void close() {
    const Hdf5Lock lock;
    row_type_.reset();
    table_.reset();
    file_.reset();
  }

  void openTable() {
    const Hdf5Id space(H5Dget_space(table_.get()), H5Sclose);
    const Hdf5Id type(H5Dget_type(table_.get()), H5Tclose);
    hsize_t rows = 0;
    if (!space || !type || H5Sget_simple_extent_ndims(space.get()) != 1 ||
        H5Sget_simple_extent_dims(space.get(), &rows, nullptr) != 1 || H5Tget_class(type.get()) != H5T_COMPOUND) {
      badInput(path_, "the dataset 'trajectory' is not a table of rows");
    }
    rows_ = rows;
    row_size_ = H5Tget_size(type.get());
    if (row_size_ == 0 || row_size_ > kLongestRow || H5Tdetect_class(type.get(), H5T_VLEN) != 0) {
      badInput(path_, "the rows of the dataset 'trajectory' are of no fixed size, or longer than 65536 bytes");
    }
    id_ = column(type.get(), "id");
    frame_ = column(type.get(), "frame");
    x_ = column(type.get(), "x");
    y_ = column(type.get(), "y");
    if (H5Tget_member_index(type.get(), "z") >= 0) z_ = column(type.get(), "z");
    row_type_ = Hdf5Id(H5Tcopy(type.get()), H5Tclose);
    // A damaged number of rows would have us read fill values for years.
    const std::uint64_t stored = H5Dget_storage_size(table_.get());
    const double bytes = static_cast<double>(rows_) * static_cast<double>(row_size_);
    if (bytes > static_cast<double>(stored) * kStrongestCompression) {
      badInput(path_, fmt::format("the dataset 'trajectory' claims {} rows but holds {} bytes", rows_, stored));
    }
  }

  NumberType column(hid_t type, const char* name) const {
    const int index = H5Tget_member_index(type, name);
    if (index < 0) badInput(path_, fmt::format("the dataset 'trajectory' has no column '{}'", name));
    const Hdf5Id member(H5Tget_member_type(type, static_cast<unsigned>(index)), H5Tclose);
    auto number = numberType(member.get());
    if (!number) badInput(path_, fmt::format("column '{}' of the dataset 'trajectory' is not plain numbers", name));
    number->offset = H5Tget_member_offset(type, static_cast<unsigned>(index));
    if (number->offset > row_size_ || number->offset + number->size > row_size_) {
      badInput(path_, fmt::format("column '{}' of the dataset 'trajectory' stands outside its rows", name));
    }
    return *number;
  }

  bool readBlock() {
    const Hdf5Lock lock;
    const hsize_t start = end_;
    const hsize_t count = std::min<hsize_t>(kBlockRows, rows_ - end_);
    if (count == 0) return false;
    block_.assign(count * row_size_, '\0');
    block_rows_ = count;
    const Hdf5Id memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Id space(H5Dget_space(table_.get()), H5Sclose);
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0 ||
        H5Dread(table_.get(), row_type_.get(), memory_space.get(), space.get(), H5P_DEFAULT, block_.data()) < 0) {
      badInput(path_,
               fmt::format("rows {} to {} of the dataset 'trajectory' cannot be read", start + 1, start + count));
    }
    end_ += count;
    return true;
  }

  static Hdf5Id single(hid_t object, const char* name) {
    if (H5Aexists(object, name) <= 0) return {};
    Hdf5Id attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    if (!attribute) return {};
    const Hdf5Id space(H5Aget_space(attribute.get()), H5Sclose);
    return space && H5Sget_simple_extent_npoints(space.get()) == 1 ? std::move(attribute) : Hdf5Id{};
  }

  bool readRate(hid_t object) {
    const Hdf5Id attribute = single(object, "fps");
    if (!attribute) return false;
    const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose);
    const auto number = numberType(type.get());
    char bytes[8] = {};
    if (!number || H5Aread(attribute.get(), type.get(), bytes) < 0) return false;
    facts_.frames_per_second = realOf(*number, bytes);
    return true;
  }

  static bool readText(hid_t object, const char* name, std::string& found) {
    const Hdf5Id attribute = single(object, name);
    if (!attribute) return false;
    const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose);
    if (H5Tget_class(type.get()) != H5T_STRING) return false;
    if (H5Tis_variable_str(type.get()) > 0) {
      char* text = nullptr;
      if (H5Aread(attribute.get(), type.get(), &text) < 0 || text == nullptr) return false;
      found = text;
      H5free_memory(text);
      return true;
    }
    if (H5Tget_size(type.get()) > kLongestText) return false;
    std::string text(H5Tget_size(type.get()), '\0');
    if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return false;
    found = text.substr(0, text.find('\0'));
    return true;
  }

  /// Lines of text in a dataset of bytes; the zeros behind them are room that was not needed.
  void readChanges() {
    if (H5Lexists(file_.get(), "throng_changes", H5P_DEFAULT) <= 0) return;
    const Hdf5Id data(H5Dopen2(file_.get(), "throng_changes", H5P_DEFAULT), H5Dclose);
    if (!data) return;
    const Hdf5Id space(H5Dget_space(data.get()), H5Sclose), type(H5Dget_type(data.get()), H5Tclose);
    const hssize_t size = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
    if (size < 0 || size > static_cast<hssize_t>(kLongestText) || H5Tequal(type.get(), H5T_STD_U8LE) <= 0) return;
    if (static_cast<std::uint64_t>(size) > H5Dget_storage_size(data.get())) return;
    std::string text(static_cast<std::size_t>(size), '\0');
    if (H5Dread(data.get(), H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return;
    facts_.changes.emplace();
    std::string_view rest = std::string_view(text).substr(0, text.find('\0'));
    for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1))
      if (auto change = changeOfText(rest.substr(0, end))) facts_.changes->push_back(std::move(*change));
  }

  std::string path_;
  Hdf5Id file_, table_, row_type_;
  Facts facts_;
  NumberType id_, frame_, x_, y_;
  std::optional<NumberType> z_;
  std::size_t row_size_ = 0;  ///< bytes
  std::uint64_t rows_ = 0;
  std::uint64_t begin_ = 0, end_ = 0;  ///< rows given out, rows read
  std::vector<char> block_;
  std::uint64_t block_rows_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> readHdf5(const std::string& path) {
  std::error_code error;
  const auto mebibytes = static_cast<unsigned>(std::filesystem::file_size(path, error) >> 20 & 0xfffffff);
  const auto readAll = [&path]() -> std::string {
    try {
      Hdf5Rows rows(path);
      rows.rewind();
      for (Row row; rows.next(row);) continue;
    } catch (const InputError& e) {
      return e.diagnostics().front().message;
    }
    return {};
  };
  using End = base::ProcessOutcome::End;
  const base::ProcessOutcome outcome = tryInACopy(readAll, 3 + mebibytes);
  if (outcome.end == End::kNotStarted) throw FileError(fmt::format("{}: its reader {}", path, outcome.problem));
  if (outcome.end != End::kDone)
    badInput(path, fmt::format("the file is damaged; the HDF5 library cannot read it (it {})", outcome.problem));
  if (!outcome.said.empty()) badInput(path, outcome.said);
  return std::make_unique<Hdf5Rows>(path);
}

}  // namespace throng::record
