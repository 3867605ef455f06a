/**
 * Two numbers per calendar window: what is used, and the reserved part of it. Their key is that of the bucket with the
 * beginning of the window. They are kept for an hour after the window, for late settlements.
 */
export const calendar = `
local function spanKey(b, start) return string.format('%s:%.0f', b.key, start) end
local function read(b, start)
  local used, held = string.match(redis.call('GET', spanKey(b, start)) or '', '^(%S+) (%S+)$')
  return tonumber(used), tonumber(held) or 0
end
local function write(b, start, stop, used, held)
  local ttl = stop - now + 3600000
  if ttl > 0 then redis.call('SET', spanKey(b, start), string.format('%.0f %.0f', used, held), 'PX', ttl) end
end

kinds.calendar = {
  load = function(b)
    -- The current one of the three windows by the clock of Redis; the nearest if the clock is in none.
    local before, present, after, stop = string.match(b.bounds, '(%d+) (%d+) (%d+) (%d+)')
    before, present, after, stop = tonumber(before), tonumber(present), tonumber(after), tonumber(stop)
    local previous = before
    b.start, b.stop = present, after
    if now < present then
      b.start, b.stop, previous = before, present, false
    elseif now >= after then
      b.start, b.stop, previous = after, stop, present
    end
    local used, held = read(b, b.start)
    if used then
      b.used, b.held = used, held
    elseif b.baseline and b.since == b.start then
      b.used, b.appliesBaseline = b.baseline, true
    elseif b.account and not (previous and read(b, previous)) then
      -- If the previous window was counted here, this one has been counted from its beginning.
      b.missingSince = b.start
    end
  end,
  mark = function(b) return b.start end,
  fits = fits,
  -- The baseline is counted from now on, even if the request that brought it is refused.
  applyBaseline = function(b) write(b, b.start, b.stop, b.used, 0) end,
  take = function(b, amount)
    b.used, b.held = b.used + amount, b.held + amount
    write(b, b.start, b.stop, b.used, b.held)
  end,
  wait = function(b) return math.max(1, b.stop - now) end,
  reset = function(b) return math.max(0, b.stop - now) end,
  spent = function(b) return b.used - b.held end,
  settle = function(b, mark, change, _, held)
    local used, heldBefore = read(b, mark)
    if not used and change <= 0 then return 0 end
    used, held = math.max(0, (used or 0) + change), math.max(0, heldBefore - held)
    write(b, mark, b.stop, used, held)
    return used - held
  end,
}
`;
