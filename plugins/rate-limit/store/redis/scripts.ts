import { calendar } from './calendar.ts';
import { charges } from './charges.ts';
import { leases } from './leases.ts';
import { prelude } from './prelude.ts';
import { reservation } from './reservation.ts';
import { slidingWindow } from './sliding-window.ts';
import { tokenBucket } from './token-bucket.ts';

const kinds = [prelude, slidingWindow, tokenBucket, calendar, leases].join('');

/**
 * ARGV: id, lease, charges. It reads everything before it writes: a refusal, or an error at the first write, changes
 * nothing.
 */
export const reserveScript = `${kinds}${charges}${reservation}
local id, lease = ARGV[1], tonumber(ARGV[2])
releaseOrphans()
local charges = readCharges(3)
local refused, longest = -1, 0
for _, charge in ipairs(charges) do
  if charge.missingSince ~= -1 then return addStates({ -2, 0 }, charges) end
end
for _, charge in ipairs(charges) do
  if charge.appliesBaseline then kinds[charge.kind].applyBaseline(charge) end
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

/** ARGV: id, then what was used, in the order of the charges. */
export const settleScript = `${kinds}${reservation}
local id = ARGV[1]
local record = readRecord(id)
return record and close(id, record, function(index) return tonumber(ARGV[index + 2]) or 0 end)
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
