/**
 * A hash: `total`, the `first` and `last` part that count something, and a count per part, by its number since 1970.
 * Parts that have left the window are subtracted from the total at the next write: a decision never walks the window.
 */
export const slidingWindow = `
local PARTS = 60
local function partNames(from, to)
  local names = {}
  for index = from, to do names[#names + 1] = index end
  return names
end
local function leavesIn(b, index) return math.ceil((index + PARTS + 1) * b.per / PARTS - now) end

kinds.window = {
  load = function(b)
    b.part = math.floor(now * PARTS / b.per)
    b.first = b.part
    local kept = redis.call('HMGET', b.key, 'total', 'first', 'last', b.part)
    local last = tonumber(kept[3])
    -- Either everything has left the window, or the clock was set back by more than the window: it would not catch up.
    b.stale = last and (last < b.part - PARTS or last > b.part + PARTS)
    if b.stale or not last then return end
    b.used, b.first, b.last = tonumber(kept[1]), tonumber(kept[2]), last
    b.count = tonumber(kept[4]) or 0
    -- Time within a bucket never decreases.
    if last > b.part then b.part, b.count = last, tonumber(redis.call('HGET', b.key, last)) end
    if b.first >= b.part - PARTS then return end
    b.gone = partNames(b.first, math.min(last, b.part - PARTS - 1))
    for _, count in ipairs(redis.call('HMGET', b.key, unpack(b.gone))) do b.used = b.used - (tonumber(count) or 0) end
    b.first = b.part - PARTS
  end,
  mark = function(b) return b.part end,
  fits = fits,
  take = function(b, amount)
    b.used, b.count = b.used + amount, b.count + amount
    if b.part == b.last then
      redis.call('HSET', b.key, 'total', b.used, b.part, b.count)
      return
    end
    -- The first write of a part cleans up.
    if b.stale then redis.call('DEL', b.key) end
    if b.gone then redis.call('HDEL', b.key, unpack(b.gone)) end
    redis.call('HSET', b.key, 'total', b.used, 'first', b.first, 'last', b.part, b.part, b.count)
    redis.call('PEXPIRE', b.key, b.per * 2)
    b.last = b.part
  end,
  wait = function(b, amount)
    local excess = b.used + amount - b.limit
    if b.last then
      for offset, count in ipairs(redis.call('HMGET', b.key, unpack(partNames(b.first, b.last)))) do
        excess = excess - (tonumber(count) or 0)
        if excess <= 0 then return leavesIn(b, b.first + offset - 1) end
      end
    end
    return b.per
  end,
  reset = function(b)
    if b.used == 0 then return 0 end
    return leavesIn(b, b.last)
  end,
  settle = function(b, mark, change)
    if change > 0 then
      kinds.window.load(b)
      kinds.window.take(b, change)
    elseif change < 0 and mark >= math.floor(now * PARTS / b.per) - PARTS then
      -- A part that has left the window has taken its count with it.
      local back = math.min(-change, tonumber(redis.call('HGET', b.key, mark)) or 0)
      if back == 0 then return end
      redis.call('HINCRBY', b.key, mark, -back)
      redis.call('HINCRBY', b.key, 'total', -back)
    end
  end,
}
`;
