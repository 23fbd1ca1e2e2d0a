#include "record/sqlite_database.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "record/row.h"

namespace throng::record {
namespace {

/// ms that another program may keep the database locked.
constexpr int kBusyTimeout = 5000;

}  // namespace

Database::Database(const std::string& path, Mode mode) : path_(path) {
  int code = SQLITE_OK;
  if (mode == Mode::kCreate) {
    code = open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  } else {
    code = open(SQLITE_OPEN_READONLY);
    // What a killed program left unfinished beside the database is taken back by whoever opens it next, which needs
    // the right to write.
    if ((code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN) {
      const int second = open(SQLITE_OPEN_READWRITE);
      if ((second & 0xff) != SQLITE_READONLY) code = second;
    }
    if ((code & 0xff) == SQLITE_READONLY) {
      throw FileError(fmt::format(
          "{}: the program that wrote it was killed, and what it left unfinished can only be taken back where the file "
          "and its folder may be written; copy it there together with the files beside it",
          path_));
    }
  }
  if (code != SQLITE_OK) fail(code);
}

int Database::open(int flags) {
  sqlite3* handle = nullptr;
  // No mutexes: one thread at a time uses a connection.
  int code = sqlite3_open_v2(path_.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) return code;
  sqlite3_busy_timeout(handle, kBusyTimeout);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // Opening is lazy; this reads the first page.
  return sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr);
}

void Database::execute(const char* sql) {
  errno = 0;
  const int code = sqlite3_exec(get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::string Database::text(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? std::string(statement.text(0)) : std::string();
}

void Database::fail(int code) const {
  int reason = get() == nullptr ? 0 : sqlite3_system_errno(get());
  if (reason == 0 && (code & 0xff) == SQLITE_IOERR) reason = errno;
  std::string message = get() == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(get());
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // a statement does not fit the tables
    case SQLITE_FORMAT:
    case SQLITE_TOOBIG:
    case SQLITE_SCHEMA:
      badInput(path_, fmt::format("not a whole SQLite recording: {}", message));
    case SQLITE_IOERR:
      if (code == SQLITE_IOERR_SHORT_READ) badInput(path_, "the SQLite file has been cut short");
      [[fallthrough]];
    default:
      if (reason != 0) message += fmt::format(" ({})", std::strerror(reason));
      throw FileError(fmt::format("{}: {}", path_, message));
  }
}

Statement::Statement(Database& database, const char* sql) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(database.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) database.fail(code);
}

}  // namespace throng::record
