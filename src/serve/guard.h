// Who may come in: pages that this server itself has sent, opened by somebody who knows the token.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace throng::serve {

using Clock = std::chrono::steady_clock;

/// Exact lists of what Host and Origin may say. That both are equal would not be enough: a stranger's name that
/// suddenly resolves to 127.0.0.1 (DNS rebinding) makes them equal.
class AllowedHosts {
 public:
  AllowedHosts() = default;
  /// Loopback's names with this port, and `more` ("192.168.1.7", "my-desk"), with the port where they have none.
  AllowedHosts(std::uint16_t port, const std::vector<std::string>& more);
  bool host(std::string_view header) const;
  /// "http://" and one of the hosts.
  bool origin(std::string_view header) const;
  const std::vector<std::string>& list() const { return hosts_; }

 private:
  std::vector<std::string> hosts_;
};

/// 128 random bits from the operating system, in hexadecimal.
std::string makeToken();
/// Takes as long whatever is wrong with it.
bool sameToken(std::string_view given, std::string_view token);

/// So many messages, or bytes of them, a second on average, and some at once.
class Allowance {
 public:
  Allowance(double per_second, double at_once) : rate_(per_second), most_(at_once), left_(at_once) {}
  /// False for one too many.
  bool take(Clock::time_point now, double amount = 1);

 private:
  double rate_, most_, left_;
  Clock::time_point last_{};
};

}  // namespace throng::serve
