/**
 * Two numbers per calendar window: what is used, and the reserved part of it. Their key is that of the bucket with the
 * beginning of the window. They are kept for an hour after the window, for late settlements.
 *
 * A budget has four more, under the same key with `:base`. What had ended before `from` is in `base`, by the ledger;
 * what ended later is counted here. `floor` is what was counted here at `from`, or -1 if nothing was. At `due` the
 * ledger is read again, for rows that reached it late; 0: it was not read yet.
 *
 * It has two more while rows may still be on their way to the ledger: `lost` is counted beside `floor` until
 * `lostUntil`. It is what was kept of the reservations of a process that was killed, and what hosts have admitted alone
 * that ended before `from`. The latter is gathered under the same key with `:alone` before the window is counted.
 */
export const calendar = `
-- By then the ledger, whose processes have leases as well, has the rows of a process that was killed, and of spools.
local LOST_LEASES = 4
local recount = 0
local function spanKey(b, start) return string.format('%s:%.0f', b.key, start) end
local function read(b, start)
  local key = spanKey(b, start)
  local kept = redis.call('MGET', key, key .. ':base')
  local used, held = string.match(kept[1] or '', '^(%S+) (%S+)$')
  local from, floor, base, due, rest = string.match(kept[2] or '', '^(%S+) (%S+) (%S+) (%S+)(.*)$')
  local lost, lostUntil = string.match(rest or '', '^ (%S+) (%S+)$')
  return tonumber(used), tonumber(held) or 0, tonumber(from) or 0, tonumber(floor) or -1, tonumber(base) or 0,
    tonumber(due), tonumber(lost) or 0, tonumber(lostUntil) or 0
end
local function write(b, start, stop, used, held)
  local ttl = stop - now + 3600000
  if ttl > 0 then redis.call('SET', spanKey(b, start), string.format('%.0f %.0f', used, held), 'PX', ttl) end
end
local function writeBase(b, from, floor, base, due)
  local ttl, key = b.stop - now + 3600000, spanKey(b, b.start) .. ':base'
  local text = string.format('%.0f %.0f %.0f %.0f', from, floor, base, due)
  if b.lost > 0 then text = string.format('%s %.0f %.0f', text, b.lost, b.lostUntil) end
  if ttl > 0 then redis.call('SET', key, text, 'PX', ttl) end
  b.from, b.floor, b.base, b.due = from, floor, base, due
end
local function aloneKey(b) return spanKey(b, b.start) .. ':alone' end
local function gather(b, amount)
  local ttl = b.stop - now + 3600000
  if ttl <= 0 then return end
  redis.call('INCRBY', aloneKey(b), string.format('%.0f', amount))
  redis.call('PEXPIRE', aloneKey(b), ttl)
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
    used, b.held, b.from, b.floor, b.base, b.due, b.lost, b.lostUntil = read(b, b.start)
    b.used, b.exists = used or 0, used ~= nil
    if not b.account then return end
    -- If the previous window was counted here, this one has been counted from its beginning.
    local lacks = not used and not (previous and read(b, previous))
    -- The age of a fault was taken before the ledger was asked, and it is asked once for each request.
    local isRead = b.baseline and b.since == b.start and b.till == b.from
    if lacks or (recount > math.max(b.from, b.start) and not isRead and not b.later) then
      -- Without the mark of an earlier call, the baseline is taken as it is.
      if lacks and b.baseline and b.since == b.start then
        b.appliesBaseline, b.from = true, b.till
      else
        b.recounts, b.missingSince, b.missingUntil = true, b.start, now
      end
    elseif isRead then
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
    if not b.exists or (b.due == 0 and b.floor < 0) then
      -- What was counted without a first baseline is a part of it.
      if b.used > b.held then gather(b, b.used - b.held) end
      write(b, b.start, b.stop, b.held, b.held)
      writeBase(b, now, -1, 0, 0)
    else
      write(b, b.start, b.stop, b.used, b.held)
      writeBase(b, now, b.used - b.held - b.lost, b.used - b.held, 0)
    end
  end,
  -- The baseline is counted from now on, even if the request that brought it is refused.
  applyBaseline = function(b, lease)
    -- Without a ledger, what is counted stays.
    if not b.recorded then
      redis.call('DEL', spanKey(b, b.start) .. ':base')
      return
    end
    local since = math.max(b.from, b.lostUntil)
    if now >= b.lostUntil then b.lost = 0 end
    if b.floor < 0 then
      local gathered = tonumber(redis.call('GET', aloneKey(b))) or 0
      redis.call('DEL', aloneKey(b))
      if gathered + b.known > 0 then b.floor = gathered end
      -- Rows of it may still wait for the ledger. Later the ledger says more: it can have been an estimate.
      if b.known > 0 then b.lost, b.lostUntil = b.lost + b.known, now + LOST_LEASES * lease end
    end
    local base = math.max(math.max(b.floor, 0) + b.lost, b.baseline)
    b.used = b.used + base - b.base
    write(b, b.start, b.stop, b.used, b.held)
    -- Rows can reach the ledger late: the later it is read, the later they were.
    local due = now + math.max(1000, 3 * (now - since))
    if b.lost > 0 then due = math.min(due, math.max(b.lostUntil, now + 1000)) end
    writeBase(b, b.from, b.floor, base, due)
  end,
  -- What a host has admitted alone, or whose reservation is lost. What ended before the window was counted from is in
  -- its baseline when the ledger has its row. "isUncertain": it can have been settled already.
  debit = function(b, amount, lease, ended, isUncertain)
    local used, held, from, floor, base, due, lost, lostUntil = read(b, b.start)
    local hasBaseline = used and not (due == 0 and floor < 0)
    -- The ledger knows whether it is counted: it is read for what has ended until now.
    if isUncertain and hasBaseline then return kinds.calendar.lose(b, 0, lease) end
    if used and ended >= from then return write(b, b.start, b.stop, used + amount, held) end
    if not hasBaseline then return gather(b, amount) end
    -- The baseline can have its row, and what is counted at a further fault is not below the baseline.
    b.lost, b.lostUntil = lost + amount, math.max(lostUntil, now + LOST_LEASES * lease)
    local counted = math.max(base, math.max(floor, 0) + b.lost)
    write(b, b.start, b.stop, used + counted - base, held)
    writeBase(b, from, floor, counted, due == 0 and 0 or math.min(due, math.max(b.lostUntil, now + 1000)))
  end,
  take = function(b, amount)
    b.used, b.held = b.used + amount, b.held + amount
    write(b, b.start, b.stop, b.used, b.held)
  end,
  -- An exchange was never settled, and "kept" of it is counted. From now on the ledger is read for it.
  lose = function(b, kept, lease)
    local used, held, _, floor, _, due, lost = read(b, b.start)
    -- Without a first baseline, what is counted is not looked at.
    if not used or floor < 0 and due == 0 then return false end
    b.lost, b.lostUntil = lost + kept, now + LOST_LEASES * lease
    writeBase(b, now, used - held - b.lost, used - held, due == 0 and 0 or now + 1000)
    return true
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
