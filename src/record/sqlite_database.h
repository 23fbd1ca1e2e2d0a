// SQLite behind owning handles that throw.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>

namespace throng::record {

class Database {
 public:
  enum class Mode { kCreate, kRead };
  /// Throws FileError, or InputError when the file is not a database.
  Database(const std::string& path, Mode mode);

  sqlite3* get() const { return handle_.get(); }
  const std::string& path() const { return path_; }
  void execute(const char* sql);
  /// First column of the first row, as text; empty when there is none.
  std::string text(const char* sql);
  /// Throws what a result code stands for: InputError for a damaged file, FileError for anything else.
  [[noreturn]] void fail(int code) const;

 private:
  int open(int flags);

  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// One prepared statement; parameters and columns count from 0.
class Statement {
 public:
  Statement(Database& database, const char* sql);

  Statement& bind(int i, std::int64_t value) { return check(sqlite3_bind_int64(handle_.get(), i + 1, value)); }
  Statement& bind(int i, double value) { return check(sqlite3_bind_double(handle_.get(), i + 1, value)); }
  Statement& bindNull(int i) { return check(sqlite3_bind_null(handle_.get(), i + 1)); }
  /// Not copied: must live until the next step.
  Statement& bind(int i, std::string_view text) {
    return check(sqlite3_bind_text64(handle_.get(), i + 1, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
  }
  Statement& bindBytes(int i, const void* bytes, std::size_t size) {
    return check(sqlite3_bind_blob64(handle_.get(), i + 1, bytes, size, SQLITE_STATIC));
  }

  /// True when there is a row.
  bool step() {
    errno = 0;  // fail() tells what the system said
    const int code = sqlite3_step(handle_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_->fail(code);
    return false;
  }
  /// Runs a statement without rows, and makes it ready for the next time.
  void run() {
    step();
    reset();
  }
  void reset() { sqlite3_reset(handle_.get()); }

  int type(int i) { return sqlite3_column_type(handle_.get(), i); }
  std::int64_t integer(int i) { return sqlite3_column_int64(handle_.get(), i); }
  double real(int i) { return sqlite3_column_double(handle_.get(), i); }
  std::string_view text(int i) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), i));
    return text == nullptr ? std::string_view{}
                           : std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), i)));
  }
  std::string_view bytes(int i) {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_.get(), i));
    return bytes == nullptr ? std::string_view{}
                            : std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), i)));
  }

 private:
  Statement& check(int code) {
    if (code != SQLITE_OK) database_->fail(code);
    return *this;
  }
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

}  // namespace throng::record
