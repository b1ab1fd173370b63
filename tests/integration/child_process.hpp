// Child: runs a function in a child process and returns its exit status and standard error.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

#include "context/sanitizer.hpp"

namespace trueasync::test {

// ChildResult: how a child process ended.
struct ChildResult {
  int status = 0;
  std::string errors;  // its standard error

  bool exited_with(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
  bool killed_by(int signal) const { return WIFSIGNALED(status) && WTERMSIG(status) == signal; }
  bool stderr_contains(const std::string& part) const { return errors.find(part) != std::string::npos; }
};

inline std::ostream& operator<<(std::ostream& out, const ChildResult& result) {
  return out << "status " << result.status << ", standard error:\n" << result.errors;
}

// Child: a running child process. It may call signal_parent(report) to wake a parent that waits in wait_for_report(),
// so that tests need no sleeps.
class Child {
 public:
  explicit Child(const std::function<int(int report)>& function) {
    std::array<int, 2> errors = {}, report = {};
    EXPECT_EQ(pipe(errors.data()), 0);
    EXPECT_EQ(pipe(report.data()), 0);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(errors[1], STDERR_FILENO);
      alarm(60);  // a child that hangs must not block the test program
      _exit(function(report[1]));
    }
    close(errors[1]);
    close(report[1]);
    errors_ = errors[0];
    report_ = report[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    close(errors_);
    close(report_);
  }

  // False if the child exits without calling signal_parent().
  bool wait_for_report() {
    char byte = 0;
    return read(report_, &byte, 1) == 1;
  }
  void send(int signal) { EXPECT_EQ(kill(pid_, signal), 0); }
  ChildResult wait() {
    ChildResult result;
    char buffer[4096];
    for (ssize_t count; (count = read(errors_, buffer, sizeof(buffer))) > 0;) {
      result.errors.append(buffer, static_cast<std::size_t>(count));
    }
    EXPECT_EQ(waitpid(pid_, &result.status, 0), pid_);
    return result;
  }

 private:
  pid_t pid_ = -1;
  int errors_ = -1;
  int report_ = -1;
};

inline void signal_parent(int report) { EXPECT_EQ(write(report, "x", 1), 1); }

inline ChildResult in_child(const std::function<int()>& function) {
  return Child([&](int) { return function(); }).wait();
}

}  // namespace trueasync::test
