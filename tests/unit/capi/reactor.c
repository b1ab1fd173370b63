/* Timers, descriptors, triggers, signals, lookups and processes. */
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "programs.h"

PROGRAM(timers) {
  ta_event* timer = NULL;
  ta_event* ticks = NULL;
  uintptr_t value = 0;
  (void)argument;
  REQUIRE(ta.reactor->timer_event(TA_MILLISECONDS(2), 0, &timer, error) == TA_OK);
  int64_t before = ta.reactor->now();
  REQUIRE(ta.event->wait(timer, TA_NO_TIMEOUT, NULL, TA_HERE, error) == TA_OK);
  REQUIRE(ta.reactor->now() - before >= TA_MILLISECONDS(2));
  REQUIRE(ta.event->wait(timer, 0, NULL, TA_HERE, error) == TA_OK); /* a fired timer stays fired */
  REQUIRE(ta.reactor->timer_rearm(timer, TA_SECONDS(3600), error) == TA_OK);
  REQUIRE(ta.event->wait(timer, TA_MILLISECONDS(1), NULL, TA_HERE, NULL) == TA_TIMEOUT);
  ta.event->release(timer);

  REQUIRE(ta.reactor->timer_event(TA_MILLISECONDS(1), TA_MILLISECONDS(1), &ticks, error) == TA_OK);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(ta.event->wait(ticks, TA_NO_TIMEOUT, &value, TA_HERE, error) == TA_OK && value >= 1);
  }
  ta.event->release(ticks);
  REQUIRE(ta.reactor->timer_event(-1, 0, &timer, NULL) == TA_MISUSE);
  REQUIRE(ta.reactor->timer_rearm(ta.core->event(ta.core->current()), 1, NULL) == TA_MISUSE);
  return TA_OK;
}

static ta_status write_byte(void* argument, ta_error* error) {
  (void)error;
  return write(*(int*)argument, "x", 1) == 1 ? TA_OK : TA_IO;
}

PROGRAM(poll_descriptors) {
  int ends[2];
  uint32_t ready = 0;
  uintptr_t value = 0;
  char byte = 0;
  ta_event* event = NULL;
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  (void)argument;
  REQUIRE(pipe(ends) == 0);
  REQUIRE(ta.reactor->poll(ends[0], TA_READABLE, TA_MILLISECONDS(1), &ready, TA_HERE, NULL) == TA_TIMEOUT);
  REQUIRE(ta.reactor->poll(ends[1], TA_WRITABLE, TA_NO_TIMEOUT, &ready, TA_HERE, error) == TA_OK &&
          ready == TA_WRITABLE);
  options.entry = write_byte;
  options.argument = &ends[1];
  REQUIRE(ta.core->spawn(&options, NULL, TA_HERE, error) == TA_OK);
  REQUIRE(ta.reactor->poll(ends[0], TA_READABLE, TA_NO_TIMEOUT, &ready, TA_HERE, error) == TA_OK &&
          ready == TA_READABLE);
  REQUIRE(ta.reactor->poll_event(ends[0], TA_READABLE, &event, error) == TA_OK);
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, &value, TA_HERE, error) == TA_OK && (value & TA_READABLE));
  /* The descriptor stays registered and level-triggered: readable until read, and again after the next write. */
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, &value, TA_HERE, error) == TA_OK);
  REQUIRE(read(ends[0], &byte, 1) == 1);
  REQUIRE(ta.event->wait(event, TA_MILLISECONDS(1), &value, TA_HERE, NULL) == TA_TIMEOUT);
  REQUIRE(write(ends[1], "x", 1) == 1);
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, &value, TA_HERE, error) == TA_OK && (value & TA_READABLE));
  ta.event->release(event);
  /* A hang-up is reported. */
  close(ends[0]);
  REQUIRE(ta.reactor->poll(ends[1], TA_WRITABLE, TA_NO_TIMEOUT, &ready, TA_HERE, error) == TA_OK);
  REQUIRE(ready & TA_POLL_ERROR);
  close(ends[1]);

  REQUIRE(ta.reactor->poll(0, 0, TA_NO_TIMEOUT, NULL, TA_HERE, NULL) == TA_MISUSE);
  REQUIRE(ta.reactor->poll(0, 64, TA_NO_TIMEOUT, NULL, TA_HERE, error) == TA_MISUSE && strstr(error->message, "64"));
  return TA_OK;
}

static void* fire(void* argument) {
  ta.reactor->trigger_fire(argument);
  return NULL;
}

PROGRAM(trigger_from_another_thread) {
  ta_trigger* trigger = NULL;
  pthread_t thread;
  (void)argument;
  REQUIRE(ta.reactor->trigger_create(&trigger, error) == TA_OK);
  REQUIRE(pthread_create(&thread, NULL, fire, trigger) == 0);
  REQUIRE(ta.event->wait(ta.reactor->trigger_event(trigger), TA_SECONDS(60), NULL, TA_HERE, error) == TA_OK);
  REQUIRE(pthread_join(thread, NULL) == 0);
  ta.reactor->trigger_destroy(trigger);
  return TA_OK;
}

static ta_status raise_signal(void* argument, ta_error* error) {
  (void)argument;
  (void)error;
  kill(getpid(), SIGUSR1);
  return TA_OK;
}

PROGRAM(signals) {
  ta_event* event = NULL;
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  (void)argument;
  options.entry = raise_signal;
  REQUIRE(ta.reactor->signal_event(SIGUSR1, &event, error) == TA_OK);
  REQUIRE(ta.core->spawn(&options, NULL, TA_HERE, error) == TA_OK);
  REQUIRE(ta.event->wait(event, TA_SECONDS(60), NULL, TA_HERE, error) == TA_OK);
  ta.event->release(event);
  return TA_OK;
}

PROGRAM(lookups) {
  ta_address addresses[4];
  ta_lookup* lookup = NULL;
  size_t count = 0;
  char text[64];
  (void)argument;
  REQUIRE(ta.reactor->resolve("127.0.0.1", "80", TA_FAMILY_IPV4, TA_NO_TIMEOUT, addresses, 4, &count, TA_HERE, error) ==
          TA_OK);
  REQUIRE(count == 1 && ta.reactor->address_text(&addresses[0], text, sizeof text) == strlen("127.0.0.1:80"));
  REQUIRE(strcmp(text, "127.0.0.1:80") == 0);

  REQUIRE(ta.reactor->lookup_create("localhost", NULL, TA_FAMILY_ANY, &lookup, error) == TA_OK);
  REQUIRE(ta.event->wait(ta.reactor->lookup_event(lookup), TA_SECONDS(60), NULL, TA_HERE, error) == TA_OK);
  REQUIRE(ta.reactor->lookup_addresses(lookup, addresses, 4, &count, error) == TA_OK && count >= 1);
  ta.reactor->lookup_destroy(lookup);

  REQUIRE(ta.reactor->resolve("no/such/host", NULL, TA_FAMILY_ANY, TA_SECONDS(60), addresses, 4, &count, TA_HERE,
                              error) == TA_DNS);
  REQUIRE(error->system != 0 && strstr(error->message, "no/such/host"));
  REQUIRE(ta.reactor->resolve("localhost", NULL, 9, TA_NO_TIMEOUT, addresses, 4, &count, TA_HERE, NULL) == TA_MISUSE);
  return TA_OK;
}

PROGRAM(process_ends) {
  ta_process* process = NULL;
  ta_exit_status ended = TA_OPTIONS(ta_exit_status);
  int release_pipe[2];
  char byte = 0;
  (void)argument;
  REQUIRE(pipe(release_pipe) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(release_pipe[1]);
    _exit(read(release_pipe[0], &byte, 1) == 0 ? 7 : 8);
  }
  close(release_pipe[0]);
  REQUIRE(child > 0 && ta.reactor->process_watch(child, &process, error) == TA_OK);
  REQUIRE(ta.reactor->process_exit(process, &ended, NULL) == TA_EMPTY);
  close(release_pipe[1]);
  REQUIRE(ta.event->wait(ta.reactor->process_event(process), TA_SECONDS(60), NULL, TA_HERE, error) == TA_OK);
  REQUIRE(ta.reactor->process_exit(process, &ended, error) == TA_OK);
  REQUIRE(ended.known && ended.code == 7 && ended.signal == 0);
  ta.reactor->process_release(process);
  REQUIRE(ta.reactor->process_watch(-1, &process, NULL) == TA_MISUSE);
  return TA_OK;
}
