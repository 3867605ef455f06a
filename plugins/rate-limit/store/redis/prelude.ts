/**
 * What every script begins with. KEYS[1] is the set of the tenant's open reservations, by the millisecond at which they run out; it names the
 * slot in which everything of the tenant lies. Reservations of others that have run out are found there, so not every key can be declared.
 *
 * A kind of bucket is a table of functions over a bucket "b". "load" reads and sets "used"; only "take" and "settle" write.
 */
export const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local open = KEYS[1]
local root = string.sub(open, 1, -#'open' - 1)
-- Longer than the longest window: what a crash leaves behind has to be found while its window lasts.
local KEEP = 32 * 24 * 3600 * 1000
local kinds = {}

local function fits(b, amount) return b.used + amount <= b.limit end
`;
