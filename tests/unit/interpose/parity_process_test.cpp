// Child processes: the wait family, system and popen.
#include "parity.hpp"

namespace trueasync::test {
namespace {

void processes(Log& log) {
  const auto child = [](int code, int milliseconds) {
    const pid_t process = ::fork();
    if (process == 0) {
      ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
      if (code < 0) ::kill(::getpid(), -code);
      ::_exit(code);
    }
    return process;
  };
  int status = 0;
  pid_t process = child(3, 5);
  log.push_back(std::to_string(c_waitpid(process, &status, 0) == process) + " " + std::to_string(status));
  log.push_back(outcome(c_waitpid(process, &status, 0)));
  log.push_back(outcome(c_waitpid(1, &status, 0)));
  log.push_back(outcome(c_waitpid(process, &status, 0x40000000)));
  process = child(-SIGTERM, 5);
  log.push_back(std::to_string(c_waitpid(process, &status, WUNTRACED) == process) + " " + std::to_string(status));
  process = child(4, 300);
  log.push_back(outcome(c_waitpid(process, &status, WNOHANG)));
  rusage usage = {};
  log.push_back(std::to_string(c_wait4(process, &status, 0, &usage) == process) + " " + std::to_string(status));
  process = child(5, 5);
  siginfo_t info = {};
  log.push_back(outcome(c_waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT)) + " " +
                std::to_string(info.si_status));
  log.push_back(outcome(c_waitid(P_PID, static_cast<id_t>(process), &info, WEXITED)));
  log.push_back(outcome(c_waitid(P_PID, static_cast<id_t>(process), &info, WEXITED)));
  process = child(6, 5);
  log.push_back(std::to_string(c_waitpid(0, &status, 0) == process) + " " + std::to_string(status));
  log.push_back(std::to_string(c_system("exit 7")));
  log.push_back(std::to_string(c_system("kill -TERM $$; exit 3")));
  FILE* stream = c_popen("cat; exit 8", "w");
  log.push_back(std::to_string(c_pclose(stream)));
}

INSTANTIATE_TEST_SUITE_P(Processes, BlockingParity, ::testing::Values(Scenario{"Processes", processes}), scenario_name);

}  // namespace
}  // namespace trueasync::test
