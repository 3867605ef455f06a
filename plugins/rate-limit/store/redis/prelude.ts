/**
 * The beginning of every script. KEYS[1] is the set of the tenant's open reservations, by the millisecond at which they
 * expire; it determines the slot of all keys of the tenant. A script also releases expired reservations that it finds
 * there, so it cannot declare every key.
 *
 * A kind of bucket is a table of functions over a bucket "b". "load" reads and sets "used"; "take" and "settle" write.
 */
export const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local open = KEYS[1]
local root = string.sub(open, 1, -#'open' - 1)
-- Longer than the longest window: what a crash leaves behind must be found while its window lasts.
local KEEP = 32 * 24 * 3600 * 1000
local kinds = {}

local function fits(b, amount) return b.used + amount <= b.limit end
`;
