import { startRedis } from '../../test/support/servers/redis.ts';
import { simulate, type Scenario } from '../../test/plugins/rate-limit/grants/simulation.ts';
import { commandsOf, connectRedis } from '../../test/plugins/rate-limit/store/stores.ts';

// `npm run bench:grants`: gateways with `store.redis.grants: on`, the real code and a real Redis, whose clock is that
// of the simulation. Counts, no times.
const common = { seconds: 3, exchangeMs: 1_000 };
const scenarios: readonly Scenario[] = [
  { ...common, gateways: 1, perSecond: 50, limit: 1e6 },
  { ...common, gateways: 1, perSecond: 500, limit: 1e6 },
  { ...common, gateways: 1, perSecond: 2_000, limit: 1e6 },
  { ...common, gateways: 200, perSecond: 20, limit: 1e6 },
  { ...common, gateways: 200, perSecond: 100, limit: 1e6 },
  { ...common, gateways: 3, perSecond: 500, limit: 4_000 },
  { ...common, gateways: 10, perSecond: 100, limit: 2_500 },
  { ...common, gateways: 200, perSecond: 50, limit: 25_000 },
];

const row = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

row(['gateways', 'requests/s of each', 'limit', 'requests', 'admitted', 'too many', 'left at first refusal', 'calls']);
row(Array.from({ length: 8 }, () => '--:'));
const server = await startRedis();
const redis = await connectRedis(server);
for (const scenario of scenarios) {
  await commandsOf(redis).call('FLUSHALL');
  const { requests, admitted, tooMany, leftAtRefusal, callsPerRequest } = await simulate(redis, scenario);
  const { gateways, perSecond, limit } = scenario;
  row([gateways, perSecond, limit, requests, admitted, tooMany, leftAtRefusal ?? '', callsPerRequest.toFixed(3)]);
}
await redis.close();
await server.stop();
