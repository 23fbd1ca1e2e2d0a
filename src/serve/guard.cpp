#include "serve/guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace throng::serve {

AllowedHosts::AllowedHosts(std::uint16_t port, const std::vector<std::string>& more) {
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) hosts_.push_back(fmt::format("{}:{}", name, port));
  for (const std::string& name : more) {
    // "[::1]" and "::1" are addresses without a port; "name:80" has one.
    const bool bare_v6 = name.find(':') != name.rfind(':') && name.front() != '[';
    const std::string host = bare_v6 ? "[" + name + "]" : name;
    const std::size_t colon = host.rfind(':'), bracket = host.rfind(']');
    const bool has_port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
    hosts_.push_back(has_port ? host : fmt::format("{}:{}", host, port));
  }
  // Browsers leave out the port that is http's own.
  if (port == 80)
    for (std::size_t i = 0, n = hosts_.size(); i < n; ++i)
      if (hosts_[i].ends_with(":80")) hosts_.push_back(hosts_[i].substr(0, hosts_[i].size() - 3));
}

bool AllowedHosts::host(std::string_view header) const {
  return std::find(hosts_.begin(), hosts_.end(), header) != hosts_.end();
}

bool AllowedHosts::origin(std::string_view header) const {
  constexpr std::string_view kScheme = "http://";
  return header.starts_with(kScheme) && host(header.substr(kScheme.size()));
}

std::string makeToken() {
  std::random_device random;  // getrandom() or the processor's own
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
  return token;
}

bool sameToken(std::string_view given, std::string_view token) {
  unsigned different = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char other = given.empty() ? '\0' : given[i % given.size()];
    different |= static_cast<unsigned>(static_cast<unsigned char>(token[i]) ^ static_cast<unsigned char>(other));
  }
  return different == 0 && !token.empty();
}

bool Allowance::take(Clock::time_point now, double amount) {
  if (last_ != Clock::time_point{})
    left_ = std::min(most_, left_ + rate_ * std::chrono::duration<double>(now - last_).count());
  last_ = now;
  if (left_ < amount) return false;
  left_ -= amount;
  return true;
}

}  // namespace throng::serve
