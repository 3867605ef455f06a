import type { Bucket, Charge } from '../store.ts';

/** The constant part of a charge, formatted once per bucket. */
const specs = new WeakMap<Bucket, string>();
const specOf = (bucket: Bucket): string => {
  const known = specs.get(bucket);
  if (known !== undefined) return known;
  const { kind, limit, per, rate, enforce, account, key } = bucket;
  const spec = `${kind} ${limit} ${per} ${rate} ${enforce ? 1 : 0} ${account === undefined ? 0 : 1} ${key}`;
  specs.set(bucket, spec);
  return spec;
};

/** The scripts have no `later`: without the ledger the host decides alone. */
const writeBaseline = (baseline: Charge['baseline']): string =>
  baseline === undefined || baseline === 'later' ? '- -' : `${baseline.since} ${baseline.amount}`;

/** A charge as two arguments, with fields in the order in which the script reads them. */
export const writeCharge = ({ bucket, amount, kept = 0, baseline, bounds = [] }: Charge): readonly [string, string] => [
  specOf(bucket),
  `${amount} ${kept} ${writeBaseline(baseline)} ${bounds.join(' ')}`,
];

/** Reads the charges and the state of their buckets, and writes the states into the reply. Changes nothing. */
export const charges = `
local function readCharges(from)
  local charges = {}
  for at = from, #ARGV, 2 do
    local kind, limit, per, rate, enforce, account, key =
      string.match(ARGV[at], '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (.*)$')
    local amount, kept, since, baseline, bounds = string.match(ARGV[at + 1], '^(%S+) (%S+) (%S+) (%S+) (.*)$')
    -- All fields are set at once: a table that grows is reallocated.
    local charge = {
      kind = kind, key = root .. key, limit = tonumber(limit), per = tonumber(per), rate = tonumber(rate),
      enforce = enforce == '1',
      amount = tonumber(amount), kept = tonumber(kept), bounds = bounds, shadowed = false,
      account = account == '1', since = tonumber(since), baseline = tonumber(baseline) or false,
      appliesBaseline = false, missingSince = -1, held = 0,
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
    answer[at + 4] = charge.used - charge.held
    answer[at + 5] = charge.missingSince
  end
  return answer
end
`;
