import { calendar } from './calendar.ts';
import { charges } from './charges.ts';
import { grants } from './grants.ts';
import { leases } from './leases.ts';
import { prelude } from './prelude.ts';
import { reservation } from './reservation.ts';
import { slidingWindow } from './sliding-window.ts';
import { tokenBucket } from './token-bucket.ts';

const kinds = [prelude, slidingWindow, tokenBucket, calendar, leases].join('');

/**
 * ARGV: id, lease, the milliseconds since the last fault or -1, charges. It reads everything before it writes: a
 * refusal, or an error at the first write, changes nothing. Only budgets without a baseline are marked: what ends from
 * then on is counted.
 */
export const reserveScript = `${kinds}${charges}${reservation}
local id, lease, age = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if age >= 0 then recount = now - age end
releaseOrphans(lease)
local charges = readCharges(4)
local refused, longest, isMissing = -1, 0, false
for _, charge in ipairs(charges) do
  if charge.recounts then kinds.calendar.recount(charge) end
  if charge.missingSince ~= -1 then isMissing = true end
end
if isMissing then return addStates({ -2, 0 }, charges) end
for _, charge in ipairs(charges) do
  if charge.appliesBaseline then kinds.calendar.applyBaseline(charge, lease) end
  -- One request at a time reads the ledger.
  if charge.renews then writeBase(charge, charge.from, charge.floor, charge.base, now + 5000) end
end
for index, charge in ipairs(charges) do
  local kind = kinds[charge.kind]
  if charge.amount > 0 and not kind.fits(charge, charge.amount) then
    if charge.enforce then
      local wait = kind.wait(charge, charge.amount)
      if wait > longest then refused, longest = index - 1, wait end
    else
      charge.shadowed = true
    end
  end
end
if refused == -1 then
  writeRecord(id, lease, charges)
  for _, charge in ipairs(charges) do
    if charge.amount > 0 then kinds[charge.kind].take(charge, charge.amount, id, lease) end
  end
end
return addStates({ refused, longest }, charges)
`;

/** ARGV: id, when it ended, then what was used, in the order of the charges. */
export const settleScript = `${kinds}${reservation}
local id, ended = ARGV[1], tonumber(ARGV[2])
local record = readRecord(id)
return record and close(id, record, function(index) return tonumber(ARGV[index + 3]) or 0 end, ended)
`;

/**
 * ARGV: id, lease, when it ended, whether it can have been settled, then key, beginning, end and amount of each budget.
 * Counts an id once.
 */
export const debitScript = `${kinds}
local lease, ended = tonumber(ARGV[2]), tonumber(ARGV[3])
if not redis.call('SET', root .. 'debit:' .. ARGV[1], 1, 'NX', 'PX', 3600000) then return end
for at = 5, #ARGV, 4 do
  local budget = { key = root .. ARGV[at], start = tonumber(ARGV[at + 1]), stop = tonumber(ARGV[at + 2]) }
  kinds.calendar.debit(budget, tonumber(ARGV[at + 3]), lease, ended, ARGV[4] == '1')
end
`;

/** ARGV: charges with the baselines that the ledger has now. */
export const renewScript = `${kinds}${charges}
for _, charge in ipairs(readCharges(1)) do
  if charge.exists and charge.appliesBaseline then kinds.calendar.applyBaseline(charge, 0) end
end
`;

/** What it takes and returns is described in `grants.ts`. */
export const grantScript = `${kinds}${charges}${reservation}${grants}
local lease, age, size = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if age >= 0 then recount = now - age end
releaseOrphans(lease)
local held = {}
for index = 1, size do
  local id, call, answered, least, free, keeps, words =
    string.match(ARGV[index + 3], '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) ?(.*)$')
  local each = report(id, tonumber(call), tonumber(answered), words)
  each.id, each.call, each.keeps = id, tonumber(call), keeps == '1'
  each.least, each.free = tonumber(least), tonumber(free)
  held[index] = each
end
local answer, charges = {}, readCharges(size + 4)
for index, charge in ipairs(charges) do
  local each, kind = held[index], charge.kind == 'leases' and kinds.places or kinds[charge.kind]
  local granted, mark = 0, kind.mark(charge)
  if each.stays then
    if each.debit > 0 then kind.take(charge, each.debit) end
    -- One request at a time reads the ledger.
    if charge.renews then writeBase(charge, charge.from, charge.floor, charge.base, now + 5000) end
    granted = take(charge, kind, each.least, each.free)
    writeGrant(each.id, each.call, lease, charge, mark, granted, each.keeps and granted or 0, each)
  end
  local at = #answer
  answer[at + 1], answer[at + 2], answer[at + 3] = each.problem or 0, granted, mark
  answer[at + 4] = kind.lasts(charge, lease)
end
return addStates(answer, charges)
`;

/** ARGV: lease, ids. */
export const refreshScript = `${prelude}${reservation}
local expires = now + tonumber(ARGV[1])
for at = 2, #ARGV do
  local id = ARGV[at]
  local record = isAlive(id) and readRecord(id)
  if record then
    redis.call('ZADD', open, expires, id)
    for field = 1, #record, FIELDS do
      if record[field] == 'leases' then redis.call('ZADD', record[field + 1], 'XX', expires, id) end
    end
  end
end
`;

/** ARGV: charges. */
export const peekScript = `${kinds}${charges}
return addStates({}, readCharges(1))
`;
