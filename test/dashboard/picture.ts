import { fileURLToPath } from 'node:url';
import { openWindow, startBrowser } from './browser.ts';
import { signIn } from './pages.ts';
import { inventHistory, keys, modelOf, startDashboard, TOKEN, type DashboardScene } from './scene.ts';

// `npm run docs:picture` draws the picture of the dashboard in README.md, with traffic of the simulator.

const PICTURE = fileURLToPath(new URL('../../docs/images/dashboard.png', import.meta.url));
/** How long the live charts are filled. */
const SECONDS = 700;

const settings = {
  admin: { port: 0, token: TOKEN },
  providers: Object.fromEntries(
    ['anthropic', 'openai', 'google'].map((name) => [name, { use: 'simulator', config: { delayMs: 40, paceMs: 8 } }]),
  ),
  models: {
    'anthropic/claude-sonnet-4-6': modelOf(3, 15, { provider: 'anthropic' }),
    'openai/gpt-4.1': modelOf(2, 8, { provider: 'openai', model: 'chat?status=503' }, { provider: 'anthropic' }),
    'google/gemini-2.5-flash': modelOf(0.3, 2.5, { provider: 'google' }),
  },
  organizations: {
    acme: { projects: { web: { keys: { alice: { key: keys['alice'] }, bob: { key: keys['bob'] } } } } },
    lab: { projects: { batch: { keys: { carol: { key: keys['carol'] } } } } },
  },
};

const calls = [
  { model: 'anthropic/claude-sonnet-4-6', stream: true },
  { model: 'openai/gpt-4.1', key: 'bob' },
  { model: 'google/gemini-2.5-flash', key: 'bob', stream: true },
  { model: 'anthropic/claude-sonnet-4-6', key: 'alice', path: '/v1/messages' },
  { model: 'google/gemini-2.5-flash', key: 'carol' },
];

async function fillCharts({ ask }: DashboardScene): Promise<void> {
  const end = Date.now() + SECONDS * 1_000;
  for (let count = 0; Date.now() < end; count += 1) {
    const { model, ...more } = calls[count % calls.length]!;
    await ask(model, { ...more, content: `Question ${count}: which tide table do I need today?` });
    await new Promise((resolve) => setTimeout(resolve, 400 + 250 * Math.sin(count / 15)));
  }
}

const scene = await startDashboard(settings);
const browser = await startBrowser();
try {
  const traffic = fillCharts(scene);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  inventHistory(scene);
  const { page } = await openWindow(browser, scene.url, {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
  });
  await page.goto('/');
  await signIn(page);
  await traffic;
  await page.screenshot({ path: PICTURE });
} finally {
  await browser.close();
  await scene.gateway.stop();
}
