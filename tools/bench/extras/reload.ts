import { readFileSync, writeFileSync } from 'node:fs';
import { startKoine } from '../gateways/processes.ts';
import { settingsOf } from '../gateways/settings.ts';
import { chatRequest } from '../load/requests.ts';
import { playRequests } from '../measure/turn.ts';
import type { Extra } from './extra.ts';

const SECONDS = 8;
const EVERY_MS = 1_000;

/** The governed gateway under load, its configuration changed every second. */
export const reloadUnderLoad: Extra = {
  name: 'reload',
  title: 'Reloads under load, one a second',
  run: async (upstream) => {
    const settings = settingsOf('governed', upstream.url);
    const gateway = await startKoine(settings);
    const play = playRequests(chatRequest('openai/bench'));
    await play(gateway, SECONDS / 2);
    const still = await play(gateway, SECONDS);
    let changes = 0;
    const timer = setInterval(() => {
      changes += 1;
      writeFileSync(gateway.file, JSON.stringify({ ...settings, aliases: { [`alias-${changes}`]: 'openai/bench' } }));
    }, EVERY_MS);
    const changing = await play(gateway, SECONDS);
    clearInterval(timer);
    const reloads = readFileSync(gateway.log, 'utf8').split('"the configuration was reloaded"').length - 1;
    await gateway.stop();
    return [
      { what: 'reloads', value: reloads, unit: `of ${changes} changes` },
      { what: 'failed requests', value: changing.errors, unit: `of ${changing.units}` },
      { what: 'CPU per request without reloads', value: still.cpu, unit: 'us' },
      { what: 'CPU per request with reloads', value: changing.cpu, unit: 'us' },
      { what: 'p99 without reloads', value: still.p99, unit: 'ms' },
      { what: 'p99 with reloads', value: changing.p99, unit: 'ms' },
    ];
  },
};
