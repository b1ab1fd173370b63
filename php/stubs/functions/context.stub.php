<?php

namespace Async;

/** The context of the current scope. */
function current_context(): Context {}

/** The context of the current coroutine itself. */
function coroutine_context(): Context {}

/** The context of the main scope, above all others. */
function root_context(): Context {}

/** The context of the request's scope, or null where a host has set none. */
function request_context(): ?Context {}
