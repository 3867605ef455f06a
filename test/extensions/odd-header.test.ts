import { expect } from 'chai';
import { definePlugin, type Outcome } from '../../core/api/index.ts';
import { builtIns, KEY, startTestGateway } from '../support/gateway.ts';

describe('an invalid header from a plugin', () => {
  it('an invalid header is left out, and the response and the settlement are not affected', async () => {
    const outcomes: Outcome[] = [];
    const odd = definePlugin({
      kind: 'plugin',
      apiVersion: 1,
      name: 'odd',
      schema: { type: 'object' },
      create: () => ({
        admit: () => ({
          headers: { 'x-plan': '模', 'x-good': 'yes' },
          settle: (outcome: Outcome) => void outcomes.push(outcome),
        }),
      }),
    });
    const gateway = await startTestGateway(
      {
        providers: { simulator: { use: 'simulator' } },
        models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
        plugins: [{ use: 'auth' }, { use: 'odd' }],
      },
      { ...builtIns, plugin: { ...builtIns.plugin, odd } },
    );
    try {
      const body = JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'x' }] });
      const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body,
      });
      expect(answer.status).to.equal(200);
      expect([answer.headers.get('x-plan'), answer.headers.get('x-good')]).to.deep.equal([null, 'yes']);
      await gateway.settled(1);
      expect(outcomes.map(({ result }) => result)).to.deep.equal(['ok']);
    } finally {
      await gateway.stop();
    }
  });
});
