/**
 * Two numbers per calendar window: what is used, and the reserved part of it. Their key is that of the bucket with the
 * beginning of the window. They are kept for an hour after the window, for late settlements.
 *
 * A budget has four more, under the same key with `:base`. What had ended before `from` is in `base`, by the ledger;
 * what ended later is counted here. `floor` is what was counted here at `from`, or -1 if nothing was. At `due` the
 * ledger is read again, for rows that reached it late; 0: it was not read yet.
 */
export const calendar = `
local recount = 0
local function spanKey(b, start) return string.format('%s:%.0f', b.key, start) end
local function read(b, start)
  local key = spanKey(b, start)
  local kept = redis.call('MGET', key, key .. ':base')
  local used, held = string.match(kept[1] or '', '^(%S+) (%S+)$')
  local from, floor, base, due = string.match(kept[2] or '', '^(%S+) (%S+) (%S+) (%S+)$')
  return tonumber(used), tonumber(held) or 0, tonumber(from) or 0, tonumber(floor) or -1, tonumber(base) or 0,
    tonumber(due)
end
local function write(b, start, stop, used, held)
  local ttl = stop - now + 3600000
  if ttl > 0 then redis.call('SET', spanKey(b, start), string.format('%.0f %.0f', used, held), 'PX', ttl) end
end
local function writeBase(b, from, floor, base, due)
  local ttl, key = b.stop - now + 3600000, spanKey(b, b.start) .. ':base'
  if ttl > 0 then redis.call('SET', key, string.format('%.0f %.0f %.0f %.0f', from, floor, base, due), 'PX', ttl) end
  b.from, b.floor, b.base, b.due = from, floor, base, due
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
    local used
    used, b.held, b.from, b.floor, b.base, b.due = read(b, b.start)
    b.used, b.exists = used or 0, used ~= nil
    if not b.account then return end
    -- If the previous window was counted here, this one has been counted from its beginning.
    local lacks = not used and not (previous and read(b, previous))
    if lacks or recount > math.max(b.from, b.start) then
      -- Without the mark of an earlier call, the baseline is taken as it is.
      if lacks and b.baseline and b.since == b.start then
        b.appliesBaseline, b.from = true, b.till
      else
        b.recounts, b.missingSince, b.missingUntil = true, b.start, now
      end
    elseif b.baseline and b.since == b.start and b.till == b.from then
      b.appliesBaseline = true
    elseif b.due == 0 and not (b.later and b.floor >= 0) then
      b.missingSince, b.missingUntil = b.start, b.from
    elseif b.due and b.due > 0 and now >= b.due then
      b.renews, b.missingUntil = true, b.from
    end
  end,
  mark = function(b) return b.start end,
  fits = fits,
  -- From now on what ends is counted here, and the ledger is read for what ended before.
  recount = function(b)
    -- What was counted without a first baseline says nothing: the ledger has it.
    if not b.exists or (b.due == 0 and b.floor < 0) then
      write(b, b.start, b.stop, b.held, b.held)
      writeBase(b, now, -1, 0, 0)
    else
      write(b, b.start, b.stop, b.used, b.held)
      writeBase(b, now, b.used - b.held, b.used - b.held, 0)
    end
  end,
  -- The baseline is counted from now on, even if the request that brought it is refused.
  applyBaseline = function(b)
    local base = math.max(b.floor, b.baseline, 0)
    b.used = b.used + base - b.base
    write(b, b.start, b.stop, b.used, b.held)
    -- Rows can reach the ledger late: the later it is read, the later they were.
    if b.recorded then
      writeBase(b, b.from, b.floor, base, now + math.max(1000, 3 * (now - b.from)))
    else
      redis.call('DEL', spanKey(b, b.start) .. ':base')
    end
  end,
  take = function(b, amount)
    b.used, b.held = b.used + amount, b.held + amount
    write(b, b.start, b.stop, b.used, b.held)
  end,
  wait = function(b) return math.max(1, b.stop - now) end,
  reset = function(b) return math.max(0, b.stop - now) end,
  spent = function(b) return b.used - b.held end,
  -- What ended before the window was counted from is in its baseline: only its reservation is given back.
  settle = function(b, mark, change, _, held, ended)
    local used, heldBefore, from = read(b, mark)
    local isInBaseline = ended < from
    if isInBaseline then change = -held end
    if not used and change <= 0 then return 0, isInBaseline end
    used, held = math.max(0, (used or 0) + change), math.max(0, heldBefore - held)
    write(b, mark, b.stop, used, held)
    return used - held, isInBaseline
  end,
}
`;
