/** The record of a reservation, a row of eight values a charge, and its end: by settlement, or because its holder has crashed. */
export const reservation = `
local FIELDS = 8
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
    record[at + 8] = charge.keep
  end
  redis.call('SET', recordKey(id), cmsgpack.pack(record), 'PX', KEEP)
  redis.call('ZADD', open, now + lease, id)
  redis.call('PEXPIRE', open, KEEP)
end

local function readRecord(id)
  local record = redis.call('GET', recordKey(id))
  return record and cmsgpack.unpack(record)
end

local function isAlive(id)
  local expires = redis.call('ZSCORE', open, id)
  return expires and tonumber(expires) > now
end

-- actual(index, reserved, keep): what a charge comes to in the end.
local function close(id, actual)
  local record = readRecord(id)
  redis.call('ZREM', open, id)
  if not record then return 0 end
  redis.call('DEL', recordKey(id))
  for at = 1, #record, FIELDS do
    local kind, key, reserved, mark, per, rate, stop, keep = unpack(record, at, at + FIELDS - 1)
    local change = actual((at - 1) / FIELDS, reserved, keep) - reserved
    kinds[kind].settle({ key = key, per = per, rate = rate, stop = stop, used = 0, count = 0 }, mark, change, id)
  end
  return 1
end

-- A few at a time: after the crash of a busy gateway the next requests share the work.
local ORPHANS = 32
local function releaseOrphans()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', open, '-inf', now, 'LIMIT', 0, ORPHANS)) do
    close(id, function(_, reserved, keep) return keep == '1' and reserved or 0 end)
  end
end
`;
