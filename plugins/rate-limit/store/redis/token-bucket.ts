import { LONGEST_REFILL_MS } from '../store.ts';

/**
 * A hash: what was `missing` `at` a millisecond, times `per`. So `rate` comes back per millisecond, and no fraction is
 * lost by rounding.
 */
export const tokenBucket = `
local function refillMs(b, missing) return math.min(${LONGEST_REFILL_MS}, math.ceil(missing / b.rate)) end

kinds['token-bucket'] = {
  load = function(b)
    b.missing, b.at = 0, now
    local kept = redis.call('HMGET', b.key, 'missing', 'at')
    local at = tonumber(kept[2])
    -- As in a window, time never decreases; but a clock that was set back far is not waited for.
    if at and at <= now + b.per then
      b.at = math.max(at, now)
      b.missing = math.max(0, tonumber(kept[1]) - (b.at - at) * b.rate)
    end
    b.used = math.ceil(b.missing / b.per)
  end,
  mark = function() return 0 end,
  fits = function(b, amount) return b.missing + amount * b.per <= b.limit * b.per end,
  take = function(b, amount)
    b.missing = math.max(0, b.missing + amount * b.per)
    b.used = math.ceil(b.missing / b.per)
    redis.call('HSET', b.key, 'missing', b.missing, 'at', b.at)
    redis.call('PEXPIRE', b.key, refillMs(b, b.missing) + 1000)
  end,
  wait = function(b, amount) return refillMs(b, b.missing + (amount - b.limit) * b.per) end,
  reset = function(b) return refillMs(b, b.missing) end,
  settle = function(b, _, change)
    if change == 0 then return end
    kinds['token-bucket'].load(b)
    -- What is given back to a bucket that has refilled meanwhile is lost.
    if change > 0 or b.missing > 0 then kinds['token-bucket'].take(b, change) end
  end,
}
`;
