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

/**
 * When the window began, until when the ledger was read, the amount (-1: there is no ledger), and what is known to be
 * spent without it.
 */
const writeBaseline = (baseline: Charge['baseline']): string => {
  if (baseline === undefined) return '- - - 0';
  if (baseline === 'later') return '- - later 0';
  const { since, until = 0, amount, isRecorded = true, known = 0 } = baseline;
  return `${since} ${until} ${isRecorded ? amount : -1} ${known}`;
};

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
    local amount, kept, since, till, baseline, known, bounds =
      string.match(ARGV[at + 1], '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (.*)$')
    -- All fields are set at once: a table that grows is reallocated.
    local charge = {
      kind = kind, key = root .. key, limit = tonumber(limit), per = tonumber(per), rate = tonumber(rate),
      enforce = enforce == '1',
      amount = tonumber(amount), kept = tonumber(kept), bounds = bounds, shadowed = false,
      account = account == '1', since = tonumber(since), till = tonumber(till), later = baseline == 'later',
      baseline = tonumber(baseline) or false, recorded = baseline ~= '-1', known = tonumber(known),
      appliesBaseline = false, recounts = false, renews = false, missingSince = -1, missingUntil = 0,
      held = 0, from = 0, floor = -1, base = 0, due = false, exists = false, lost = 0, lostUntil = 0,
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
    answer[at + 5] = charge.renews and charge.start or charge.missingSince
    answer[at + 6] = charge.missingUntil
    -- 0: the window has no baseline at all; 1: the ledger was not read since the last fault; 2: it is read again.
    answer[at + 7] = charge.renews and 2 or (charge.floor >= 0 and 1 or 0)
  end
  return answer
end
`;
