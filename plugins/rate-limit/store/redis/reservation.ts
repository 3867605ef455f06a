/**
 * The record of a reservation has nine values per charge. It ends by settlement, or when its lease expires. An expired
 * one is kept for an hour, with what was kept of its charges: its process may only have been unreachable.
 */
export const reservation = `
local FIELDS = 9
local LATE = 3600000
local function recordKey(id) return root .. 'reservation:' .. id end

local function writeRecord(id, lease, charges)
  local record = {}
  for _, charge in ipairs(charges) do
    local at = #record
    record[at + 1] = charge.kind
    record[at + 2] = charge.key
    record[at + 3] = charge.amount
    record[at + 4] = kinds[charge.kind].mark(charge)
    record[at + 5] = charge.per
    record[at + 6] = charge.rate
    record[at + 7] = charge.stop
    record[at + 8] = charge.kept
    record[at + 9] = charge.amount
  end
  redis.call('SET', recordKey(id), cmsgpack.pack(record), 'PX', KEEP)
  redis.call('ZADD', open, now + lease, id)
  redis.call('PEXPIRE', open, KEEP)
end

-- Of a grant, also the number of the call that wrote it.
local function readRecord(id)
  local record = redis.call('GET', recordKey(id))
  if not record then return nil end
  return cmsgpack.unpack(record)
end

local function isAlive(id)
  local expires = redis.call('ZSCORE', open, id)
  return expires and tonumber(expires) > now
end

-- actual(index, kept) returns what a charge has used, and ended is when. Returns index, window and spent amount of each
-- calendar charge. Of what a baseline contains, nothing stays counted in the record.
local function close(id, record, actual, ended)
  local spent = {}
  redis.call('ZREM', open, id)
  redis.call('DEL', recordKey(id))
  for at = 1, #record, FIELDS do
    local kind, key, counted, mark, per, rate, stop, kept, held = unpack(record, at, at + FIELDS - 1)
    local index = (at - 1) / FIELDS
    local bucket = { key = key, per = per, rate = rate, stop = stop, used = 0, count = 0 }
    local used = actual(index, kept)
    local after, isInBaseline = kinds[kind].settle(bucket, mark, used - counted, id, held, ended)
    record[at + 2], record[at + 8] = isInBaseline and 0 or used, 0
    if kind == 'calendar' then
      local size = #spent
      spent[size + 1], spent[size + 2], spent[size + 3] = index, mark, after
    end
  end
  return spent
end

local function release(id, lease)
  local record, call = readRecord(id)
  -- Its process was last known to run when it renewed the lease.
  local renewed = (tonumber(redis.call('ZSCORE', open, id)) or now) - lease
  if not record then
    redis.call('ZREM', open, id)
    return
  end
  close(id, record, function(_, kept) return kept end, renewed)
  for at = 1, #record, FIELDS do
    -- The key of a bucket begins with scope, path and unit.
    if record[at] == 'calendar' and string.match(record[at + 1], '^[^;]*;[^;]*;cost;', #root + 1) then
      local bucket = { key = record[at + 1], start = record[at + 3], stop = record[at + 6], lost = 0, lostUntil = 0 }
      -- What is settled late counts as a whole, beside what is lost.
      if kinds.calendar.lose(bucket, record[at + 2], lease) then record[at + 2] = 0 end
    end
  end
  local kept = call and cmsgpack.pack(record, call) or cmsgpack.pack(record)
  redis.call('SET', recordKey(id), kept, 'PX', LATE)
end

-- A few at a time: after the crash of a busy gateway the next requests share the work.
local ORPHANS = 32
local function releaseOrphans(lease)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', open, '-inf', now, 'LIMIT', 0, ORPHANS)) do release(id, lease) end
end
`;
