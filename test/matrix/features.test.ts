import { startTestGateway, type TestGateway } from '../e2e/gateway.ts';
import { startUpstream, type TestUpstream } from '../e2e/upstream.ts';
import { cases } from './cases/index.ts';
import { modelsOf } from './matrix-case.ts';
import { runCase } from './run-case.ts';
import { catalogOf, modes, pairOf, providersAt, wires } from './wires.ts';

describe('matrix: every feature over every pair of client and upstream', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({ providers: providersAt(upstream.url), models: catalogOf(cases.map(modelsOf)) });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  for (const testCase of cases) {
    describe(testCase.name, () => {
      for (const client of wires) {
        for (const wire of wires) {
          for (const mode of modes) it(`${pairOf(client, wire)}, ${mode}`, () => runCase(testCase, client, wire, mode, gateway, upstream));
        }
      }
    });
  }
});
