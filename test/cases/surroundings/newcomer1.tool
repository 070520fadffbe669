Run.
@command NODE_ENV={env} node -p process.env.NODE_ENV
@param env {string} Which
