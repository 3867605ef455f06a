/**
 * A sorted set of reservations by the millisecond at which they expire: after a crash they stop counting by themselves.
 */
export const leases = `
-- It is unknown when a running exchange will end: clients try again after a second.
local RETRY_MS = 1000

kinds.leases = {
  load = function(b) b.used = redis.call('ZCOUNT', b.key, now + 1, '+inf') end,
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
`;
