/** A number per calendar window, under the key of the bucket and the window's beginning. It outlives the window by an hour, for late settlements. */
export const calendar = `
local function spanKey(b, start) return string.format('%s:%.0f', b.key, start) end
local function write(b, start, stop, used)
  local ttl = stop - now + 3600000
  if ttl > 0 then redis.call('SET', spanKey(b, start), used, 'PX', ttl) end
end

kinds.calendar = {
  load = function(b)
    -- The one of the three windows in which Redis's clock stands; the nearest, where it stands in none.
    local before, present, after, stop = string.match(b.bounds, '(%d+) (%d+) (%d+) (%d+)')
    before, present, after, stop = tonumber(before), tonumber(present), tonumber(after), tonumber(stop)
    b.start, b.stop = present, after
    if now < present then b.start, b.stop = before, present elseif now >= after then b.start, b.stop = after, stop end
    b.used = tonumber(redis.call('GET', spanKey(b, b.start))) or 0
  end,
  mark = function(b) return b.start end,
  fits = fits,
  take = function(b, amount)
    b.used = b.used + amount
    write(b, b.start, b.stop, b.used)
  end,
  wait = function(b) return math.max(1, b.stop - now) end,
  reset = function(b) return math.max(0, b.stop - now) end,
  settle = function(b, mark, change)
    if change == 0 then return end
    local used = tonumber(redis.call('GET', spanKey(b, mark)))
    if used or change > 0 then write(b, mark, b.stop, math.max(0, (used or 0) + change)) end
  end,
}
`;
