import type { Bucket, Charge } from '../store.ts';

/** What stays the same from call to call, written once: buckets are made once per caller. */
const specs = new WeakMap<Bucket, string>();
const specOf = (bucket: Bucket): string => {
  const known = specs.get(bucket);
  if (known !== undefined) return known;
  const { kind, limit, per, rate, enforce, key } = bucket;
  const spec = `${kind} ${limit} ${per} ${rate} ${enforce ? 1 : 0} ${key}`;
  specs.set(bucket, spec);
  return spec;
};

/** A charge as two words, in the order in which the script reads them. */
export const writeCharge = ({ bucket, amount, keep = false, bounds = [] }: Charge): readonly [string, string] => [
  specOf(bucket),
  `${amount} ${keep ? 1 : 0} ${bounds.join(' ')}`,
];

/** Reads the charges and how their buckets stand, and writes the states for the answer. Changes nothing. */
export const charges = `
local function readCharges(from)
  local charges = {}
  for at = from, #ARGV, 2 do
    local kind, limit, per, rate, enforce, key = string.match(ARGV[at], '^(%S+) (%S+) (%S+) (%S+) (%S+) (.*)$')
    local amount, keep, bounds = string.match(ARGV[at + 1], '^(%S+) (%S+) (.*)$')
    -- All members stand here from the beginning: a table that grows is built anew.
    local charge = {
      kind = kind, key = root .. key, limit = tonumber(limit), per = tonumber(per), rate = tonumber(rate), enforce = enforce == '1',
      amount = tonumber(amount), keep = keep, bounds = bounds, shadowed = false,
      used = 0, part = 0, first = 0, last = false, count = 0, stale = false, gone = false, stop = 0,
    }
    kinds[kind].load(charge)
    charges[#charges + 1] = charge
  end
  return charges
end

local function addStates(answer, charges)
  for _, charge in ipairs(charges) do
    local at = #answer
    answer[at + 1] = charge.limit - charge.used
    answer[at + 2] = kinds[charge.kind].reset(charge)
    answer[at + 3] = charge.shadowed and 1 or 0
  end
  return answer
end
`;
