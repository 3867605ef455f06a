import type { Redis } from '../../contracts/services.ts';
import { KEEP_MS, type StateRecord, type StateRecords } from './records.ts';

/** One key per script, so that a cluster can spread the keys. */
const keyOf = (digest: string): string => `koine:state:${digest}`;

const itemOf = (key: string): string => `koine:item:${key}`;

const findScript = `return redis.call('GET', KEYS[1])`;

/** ARGV: the owner, the place, the time to live. The value begins with the owner. */
const addScript = `
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ARGV[2], 'PX', ARGV[3])
return 1
`;

const writeItemScript = `return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

const readRecord = (value: string): StateRecord => {
  const from = value.indexOf('[');
  const [provider, credential] = JSON.parse(value.slice(from)) as [string, string];
  return { owner: value.slice(0, from), provider, credential };
};

/** Records in Redis, which all hosts share. Redis removes them when they expire. */
export function createRedisRecords(redis: Redis): StateRecords {
  const find = redis.script('koineFindState', findScript);
  const add = redis.script('koineAddState', addScript);
  const write = redis.script('koineWriteItem', writeItemScript);
  return {
    find: (digests) =>
      Promise.all(
        digests.map(async (digest) => {
          const value = await find([keyOf(digest)], []);
          return typeof value === 'string' ? readRecord(value) : null;
        }),
      ),
    add: (digests, { owner, provider, credential }) =>
      Promise.all(
        digests.map((digest) => add([keyOf(digest)], [owner, JSON.stringify([provider, credential]), KEEP_MS])),
      ),
    readItems: (keys) =>
      Promise.all(
        keys.map(async (key) => {
          const text = await find([itemOf(key)], []);
          return typeof text === 'string' ? text : null;
        }),
      ),
    writeItems: (entries, { keep }) => Promise.all(entries.map(([key, text]) => write([itemOf(key)], [text, keep]))),
  };
}
