import type { Charge } from '../store.ts';

/** A charge as nine words, in the order in which the script reads them. */
export const writeCharge = ({ bucket, amount, keep = false, bounds = [] }: Charge): readonly (string | number)[] => [
  bucket.kind,
  bucket.key,
  bucket.limit,
  bucket.per,
  bucket.rate,
  bucket.enforce ? 1 : 0,
  amount,
  keep ? 1 : 0,
  bounds.join(' '),
];

/** Reads the charges and how their buckets stand, and writes the states for the answer. Changes nothing. */
export const charges = `
local function readCharges(from)
  local charges = {}
  for at = from, #ARGV, 9 do
    local charge = {
      kind = ARGV[at],
      key = root .. ARGV[at + 1],
      limit = tonumber(ARGV[at + 2]),
      per = tonumber(ARGV[at + 3]),
      rate = tonumber(ARGV[at + 4]),
      enforce = ARGV[at + 5] == '1',
      amount = tonumber(ARGV[at + 6]),
      keep = ARGV[at + 7],
    }
    if ARGV[at + 8] ~= '' then
      local before, present, after, stop = string.match(ARGV[at + 8], '(%d+) (%d+) (%d+) (%d+)')
      charge.bounds = { tonumber(before), tonumber(present), tonumber(after), tonumber(stop) }
    end
    kinds[charge.kind].load(charge)
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
