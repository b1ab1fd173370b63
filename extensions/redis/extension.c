/* The connection pool and the function table of the extension. */
#include <stdlib.h>

#include "connection.h"
#include "support/pool.h"

ta_api ta = {.size = sizeof(ta_api)};

struct ta_redis {
  ta_pool* pool;
  struct redis_settings settings;
};

enum { DEFAULT_PORT = 6379 };
#define DEFAULT_TIMEOUT_NS TA_SECONDS(5)

static ta_status make(void* context, void** resource, ta_error* error) {
  struct redis_connection* connection = NULL;
  const ta_status status = redis_connect(&((struct ta_redis*)context)->settings, &connection, error);
  *resource = connection;
  return status;
}

static ta_status destroy(void* context, void* resource, ta_error* error) {
  (void)context;
  (void)error;
  redis_disconnect(resource);
  return TA_OK;
}

/* The server may have closed the idle connection. */
static ta_status check_before_use(void* context, void* resource, ta_error* error) {
  (void)context;
  (void)error;
  return redis_is_idle(resource) ? TA_OK : TA_REJECTED;
}

static ta_status ping(void* context, void* resource, ta_error* error) {
  static const char* const words[] = {"PING"};
  const ta_redis_command command = {1, words, NULL};
  const struct ta_redis* redis = context;
  redisReply* reply = NULL;
  ta_status status =
      redis_exchange(resource, &command, 1, ta_deadline_after(&ta, redis->settings.connect_timeout_ns), &reply, error);
  if (status == TA_OK && reply->type == REDIS_REPLY_ERROR) status = TA_REJECTED;
  freeReplyObject(reply);
  return status;
}

static void dispose(void* context) {
  struct ta_redis* redis = context;
  free(redis->settings.host);
  free(redis->settings.path);
  free(redis->settings.password);
  free(redis);
}

static char* copy(const char* text, bool* failed) {
  char* copied = text ? strdup(text) : NULL;
  if (text && !copied) *failed = true;
  return copied;
}

static struct ta_redis* copy_settings(const ta_redis_options* options) {
  struct ta_redis* redis = calloc(1, sizeof *redis);
  bool failed = false;
  if (!redis) return NULL;
  redis->settings.host = copy(options->host ? options->host : "127.0.0.1", &failed);
  redis->settings.path = copy(options->path, &failed);
  redis->settings.password = copy(options->password, &failed);
  redis->settings.database = options->database;
  redis->settings.port = options->port ? options->port : DEFAULT_PORT;
  redis->settings.connect_timeout_ns = options->connect_timeout_ns ? options->connect_timeout_ns : DEFAULT_TIMEOUT_NS;
  if (!failed) return redis;
  dispose(redis);
  return NULL;
}

static ta_status open_redis(const ta_redis_options* options, ta_redis** opened, ta_location location, ta_error* error) {
  ta_pool_options hooks = TA_OPTIONS(ta_pool_options);
  struct ta_redis* redis = NULL;
  ta_pool* created = NULL;
  ta_status status = TA_OK;
  if (!options || options->size != sizeof *options) {
    return ta_fail(error, TA_VERSION, 0,
                   "ta_redis_options.size: the program and the Redis extension have different versions");
  }
  redis = copy_settings(options);
  if (!redis) return ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate the settings of a Redis server");
  hooks.name = "redis";
  hooks.context = redis;
  hooks.dispose = dispose;
  hooks.factory = make;
  hooks.destructor = destroy;
  hooks.healthcheck = ping;
  hooks.before_acquire = check_before_use;
  TA_INIT_POOL_OPTIONS(&hooks, options);
  status = ta.pool->create(&hooks, &created, location, error);
  if (status != TA_OK) return status; /* `dispose` has been called */
  redis->pool = created;
  *opened = redis;
  return TA_OK;
}

static void close_redis(ta_redis* redis) {
  if (redis) ta.pool->destroy(redis->pool);
}

static ta_status pipeline(ta_redis* redis, const ta_redis_command* commands, size_t count, int64_t timeout_ns,
                          redisReply** replies, ta_location location, ta_error* error) {
  const int64_t deadline = ta_deadline_after(&ta, timeout_ns);
  ta_lease lease;
  ta_status status = ta.pool->acquire(redis->pool, timeout_ns, &lease, location, error);
  if (status != TA_OK) return status;
  status = redis_exchange(lease.resource, commands, count, deadline, replies, error);
  ta.pool->release(redis->pool, &lease, status == TA_OK ? TA_RELEASE_CLEAN : TA_RELEASE_BROKEN, NULL);
  return status;
}

static ta_status command(ta_redis* redis, const ta_redis_command* request, int64_t timeout_ns, redisReply** reply,
                         ta_location location, ta_error* error) {
  redisReply* answer = NULL;
  ta_status status = pipeline(redis, request, 1, timeout_ns, &answer, location, error);
  if (status == TA_OK && answer->type == REDIS_REPLY_ERROR) status = ta_fail(error, TA_REDIS_ERROR, 0, answer->str);
  if (status == TA_OK && reply) {
    *reply = answer;
  } else {
    freeReplyObject(answer);
  }
  return status;
}

static void free_reply(redisReply* reply) { freeReplyObject(reply); }

static ta_pool* pool_of(ta_redis* redis) { return redis->pool; }

ta_status ta_extension_main(ta_get_api_function get_api, void* argument, ta_error* error) {
  static const ta_redis_table table = {
      .head = {sizeof(ta_redis_table), 1, 0, "trueasync_redis"},
      .open = open_redis,
      .close = close_redis,
      .command = command,
      .pipeline = pipeline,
      .free_reply = free_reply,
      .pool = pool_of,
  };
  const ta_status status = get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, error);
  if (status != TA_OK) return status;
  if (!argument) return ta_fail(error, TA_MISUSE, 0, "load_extension: argument must be a const ta_redis_table**");
  *(const ta_redis_table**)argument = &table;
  return TA_OK;
}
