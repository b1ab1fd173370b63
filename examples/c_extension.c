/* An extension in C: it includes <trueasync.h> and needs no symbol of the library. A shared object is loaded with
 * ta.runtime->load_extension(path, ...); here the extension is in the same file as the program that uses it.
 *
 * It keeps connections to a service in a pool and waits for each response on the socket, as a client library without
 * callbacks does. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <trueasync.h>
#include <unistd.h>

static ta_api ta = {.size = sizeof(ta_api)};

static ta_status serve(void* argument, ta_error* error) {
  ta_io* io = argument;
  char text[64];
  size_t length = 0;
  for (;;) {
    ta_status status = ta.io->read(io, text, sizeof text, &length, TA_NO_TIMEOUT, TA_HERE, error);
    if (status != TA_OK || length == 0) return status;
    for (size_t i = 0; i < length; ++i) text[i] = (char)(text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i]);
    status = ta.io->write(io, text, length, TA_NO_TIMEOUT, TA_HERE, error);
    if (status != TA_OK) return status;
  }
}

static void close_server(void* argument) { ta.io->destroy(argument); }

/* The pool's factory. The service is a coroutine at the other end of a socket pair. */
static ta_status connect_one(void* context, void** resource, ta_error* error) {
  int ends[2];
  ta_io* server = NULL;
  int* client = malloc(sizeof *client);
  (void)context;
  if (!client || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    free(client);
    return ta_fail(error, TA_NO_MEMORY, 0, "connect: no socket pair");
  }
  *client = ends[0];
  *resource = client;
  ta_status status = ta.io->adopt(ends[1], "service", &server, error);
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  options.entry = serve;
  options.argument = server;
  options.dispose = close_server;
  options.name = "service";
  if (status == TA_OK) status = ta.core->spawn(&options, NULL, TA_HERE, error);
  printf("connected\n");
  return status;
}

static ta_status disconnect(void* context, void* resource, ta_error* error) {
  (void)context;
  (void)error;
  close(*(int*)resource);
  free(resource);
  printf("disconnected\n");
  return TA_OK;
}

static ta_status open_clients(ta_pool** pool, ta_error* error) {
  ta_pool_options options = TA_OPTIONS(ta_pool_options);
  options.name = "clients";
  options.factory = connect_one;
  options.destructor = disconnect;
  options.max = 2;
  return ta.pool->create(&options, pool, TA_HERE, error);
}

static ta_status send_request(ta_pool* pool, const char* request, char* response, size_t capacity, ta_error* error) {
  ta_lease lease;
  ssize_t got = -1;
  ta_status status = ta.pool->acquire(pool, TA_SECONDS(5), &lease, TA_HERE, error);
  if (status != TA_OK) return status;
  int socket = *(int*)lease.resource;
  if (write(socket, request, strlen(request)) > 0) {
    status = ta.reactor->poll(socket, TA_READABLE, TA_SECONDS(5), NULL, TA_HERE, error);
    if (status == TA_OK) got = read(socket, response, capacity - 1);
  }
  if (got < 0 && status == TA_OK) status = ta_fail(error, TA_IO, 0, "request: no response");
  if (got >= 0) response[got] = 0;
  ta.pool->release(pool, &lease, got < 0 ? TA_RELEASE_BROKEN : TA_RELEASE_CLEAN, NULL);
  return status;
}

ta_status ta_extension_main(ta_get_api_function get_api, void* argument, ta_error* error) {
  (void)argument;
  return get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, error);
}

/* The program that uses the extension. */

struct request {
  ta_pool* pool;
  const char* text;
  char response[64];
};

static ta_status run_request(void* argument, ta_error* error) {
  struct request* request = argument;
  return send_request(request->pool, request->text, request->response, sizeof request->response, error);
}

static ta_status run_requests(void* argument, ta_error* error) {
  struct request requests[3] = {{NULL, "one", ""}, {NULL, "two", ""}, {NULL, "three", ""}};
  ta_coroutine* coroutines[3];
  ta_pool* pool = NULL;
  ta_status status = open_clients(&pool, error);
  (void)argument;
  if (status != TA_OK) return status;
  for (int i = 0; i < 3; ++i) {
    ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
    requests[i].pool = pool;
    options.entry = run_request;
    options.argument = &requests[i];
    status = ta.core->spawn(&options, &coroutines[i], TA_HERE, error);
    if (status != TA_OK) return status;
  }
  for (int i = 0; i < 3; ++i) {
    status = ta.core->await(coroutines[i], TA_NO_TIMEOUT, TA_HERE, error);
    ta.core->release(coroutines[i]);
    printf("%s -> %s\n", requests[i].text, status == TA_OK ? requests[i].response : error->message);
  }
  ta.pool->destroy(pool);
  return TA_OK;
}

int main(void) {
  ta_error error = TA_ERROR_INIT;
  ta_status status = ta_extension_main(ta_get_api, NULL, &error);
  if (status == TA_OK) status = ta.runtime->run(NULL, run_requests, NULL, TA_HERE, &error);
  if (status != TA_OK) fprintf(stderr, "%s\n", error.message);
  return status == TA_OK ? 0 : 1;
}
