/**
 * A sorted set of reservations by the millisecond at which they expire: after a crash they stop counting by themselves.
 * Beside it, under the same key with `:places`, how many places are granted.
 */
export const leases = `
-- It is unknown when a running exchange will end: clients try again after a second.
local RETRY_MS = 1000

kinds.leases = {
  load = function(b)
    b.used = redis.call('ZCOUNT', b.key, now + 1, '+inf') + (tonumber(redis.call('GET', b.key .. ':places')) or 0)
  end,
  mark = function() return 0 end,
  fits = fits,
  take = function(b, amount, id, lease)
    redis.call('ZADD', b.key, now + lease, id)
    redis.call('PEXPIRE', b.key, KEEP)
    b.used = b.used + 1
  end,
  wait = function() return RETRY_MS end,
  reset = function(b) return b.used > 0 and RETRY_MS or 0 end,
  settle = function(b, _, _, id) redis.call('ZREM', b.key, id) end,
}

-- Places that are granted to processes: a number, which their records bring back after a crash.
kinds.places = {
  take = function(b, amount)
    redis.call('SET', b.key .. ':places', (tonumber(redis.call('GET', b.key .. ':places')) or 0) + amount, 'PX', KEEP)
    b.used = b.used + amount
  end,
  mark = function() return 0 end,
  lasts = function(_, lease) return lease end,
  settle = function(b, _, change)
    local left = redis.call('INCRBY', b.key .. ':places', change)
    if left <= 0 then redis.call('DEL', b.key .. ':places') else redis.call('PEXPIRE', b.key .. ':places', KEEP) end
  end,
}
kinds.places.adjust = kinds.places.settle
`;
