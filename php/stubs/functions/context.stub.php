<?php

namespace Async;

/** The context of the current scope. */
function current_context(): Context {}

/** The current coroutine's own context. */
function coroutine_context(): Context {}

/** The context of the root scope. */
function root_context(): Context {}

/** The context of the request's scope; null if the host has set none. */
function request_context(): ?Context {}
