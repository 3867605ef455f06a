/**
 * A grant is what a process holds of one bucket. Its record is that of a reservation with an entry for each position at
 * which something is held, and the number of the last call. Each call has all that the process holds now, so that a
 * call whose response was lost is corrected by the next one; what is not in it is given back.
 *
 * ARGV: lease, the milliseconds since the last fault or -1, the number of grants, then for each of them: id, number of
 * this call, number of the last call that was answered, least useful amount, amount that is not spent, whether that
 * stays counted after a crash, and for each position: position, amount that is held, the part of it that stays counted
 * after a crash, what was spent. Then the charges, whose amounts are wanted. What was spent is a list of the number of
 * the first call that had it, the end of the exchange, and the amount.
 *
 * Returns four numbers for each: 0, or -1 if the record is lost, or -2 if the call is late; the amount that was
 * granted; its position; for how long it can be spent. Then the states.
 */
export const grants = `
-- What is not spent is at most this part of what is left.
local PARTS_LEFT = 20

kinds.window.adjust = function(b, mark, change) kinds.window.settle(b, mark, change) end
kinds.window.lasts = function(b) return math.max(0, math.floor((b.part + 1) * b.per / PARTS - now)) end
kinds.calendar.adjust = function(b, mark, change, held)
  local used, heldBefore = read(b, mark)
  if not used and change <= 0 then return end
  write(b, mark, b.stop, math.max(0, (used or 0) + change), math.max(0, heldBefore + held))
end
kinds.calendar.lasts = function(b) return math.max(0, b.stop - now) end

-- What was spent since the call "last", and the part of it that a baseline contains.
local function sumSpent(list, last, from)
  local sum, isKnown = 0, 0
  for call, ended, amount in string.gmatch(list, '([^:,]+):([^:,]+):([^:,]+)') do
    if tonumber(call) > last then
      sum = sum + tonumber(amount)
      if tonumber(ended) < from then isKnown = isKnown + tonumber(amount) end
    end
  end
  return sum, isKnown
end

-- What an entry held is replaced by what is held now, and by what was spent.
local function replace(record, at, outstanding, list, last)
  local kind, key, counted, mark, per, rate, stop, _, held = unpack(record, at, at + FIELDS - 1)
  local bucket = { kind = kind, key = key, per = per, rate = rate, stop = stop, used = 0, count = 0 }
  local from = 0
  if kind == 'calendar' then _, _, from = read(bucket, mark) end
  local sum, isKnown = sumSpent(list, last, from)
  kinds[kind].adjust(bucket, mark, outstanding + sum - isKnown - counted, outstanding - held)
end

local function addEntry(record, charge, mark, stop, outstanding, kept)
  local at = #record
  record[at + 1] = charge.kind == 'leases' and 'places' or charge.kind
  record[at + 2] = charge.key
  record[at + 3], record[at + 4], record[at + 5], record[at + 6] = outstanding, mark, charge.per, charge.rate
  record[at + 7], record[at + 8], record[at + 9] = stop, kept, outstanding
end

-- Counts what a process held and what it has spent. "stays" is what it still holds, "debit" what counts from now.
local function report(id, call, answered, words)
  local record, last = readRecord(id)
  last = last or 0
  if record and last >= call then return { problem = -2 } end
  local positions, stays, debit = {}, {}, 0
  for at = 1, #(record or {}), FIELDS do positions[record[at + 3]] = at end
  for mark, outstanding, kept, list in string.gmatch(words, '([^; ]+) ([^; ]+) ([^; ]+) ([^; ]+);') do
    local at = positions[tonumber(mark)]
    if mark == 'now' then
      debit = sumSpent(list, last, 0)
    elseif at and last >= answered then
      positions[tonumber(mark)] = nil
      stays[#stays + 1] = { at = at, outstanding = tonumber(outstanding), kept = tonumber(kept), list = list }
    elseif not (record and last >= answered and outstanding == '0' and sumSpent(list, last, 0) == 0) then
      -- It is not what an unanswered call has given back.
      if record then close(id, record, function(_, left) return left end, now) end
      return { problem = -1 }
    end
  end
  for _, at in pairs(positions) do replace(record, at, 0, '', last) end
  for _, stay in ipairs(stays) do
    replace(record, stay.at, stay.outstanding, stay.list, last)
    stay.mark, stay.stop = record[stay.at + 3], record[stay.at + 6]
  end
  return { stays = stays, debit = debit, exists = record ~= nil }
end

local function take(charge, kind, least, free)
  if charge.missingSince ~= -1 then return 0 end
  local most = math.floor((charge.limit - charge.used + free) / PARTS_LEFT)
  local granted = math.min(charge.amount, most - free)
  if granted <= 0 or most < least then return 0 end
  kind.take(charge, granted)
  return granted
end

local function writeGrant(id, call, lease, charge, mark, granted, kept, held)
  local record = {}
  for _, stay in ipairs(held.stays) do
    if stay.mark == mark then
      stay.outstanding, stay.kept = stay.outstanding + granted, stay.kept + kept
      granted = 0
    end
    if stay.outstanding > 0 then addEntry(record, charge, stay.mark, stay.stop, stay.outstanding, stay.kept) end
  end
  if granted > 0 then addEntry(record, charge, mark, charge.stop, granted, kept) end
  if #record > 0 then
    redis.call('SET', recordKey(id), cmsgpack.pack(record, call), 'PX', KEEP)
    redis.call('ZADD', open, now + lease, id)
    redis.call('PEXPIRE', open, KEEP)
  elseif held.exists then
    -- If this call is not answered, the next has the same again.
    redis.call('ZREM', open, id)
    redis.call('SET', recordKey(id), cmsgpack.pack(record, call), 'PX', lease)
  end
end
`;
