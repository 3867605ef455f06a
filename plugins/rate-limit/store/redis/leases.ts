/** A sorted set of reservations by the millisecond at which they run out: what a crash leaves behind stops counting by itself. */
export const leases = `
-- Nobody knows when an answer that is being made will end: ask again in a second.
local ASK_AGAIN = 1000

kinds.leases = {
  load = function(b) b.used = redis.call('ZCOUNT', b.key, now + 1, '+inf') end,
  mark = function() return 0 end,
  fits = fits,
  take = function(b, amount, id, lease)
    redis.call('ZADD', b.key, now + lease, id)
    redis.call('PEXPIRE', b.key, KEEP)
    b.used = b.used + 1
  end,
  wait = function() return ASK_AGAIN end,
  reset = function(b) return b.used > 0 and ASK_AGAIN or 0 end,
  settle = function(b, _, _, id) redis.call('ZREM', b.key, id) end,
}
`;
