import { expect } from 'chai';
import { sumItems, type BillFigures } from '../../../../plugins/ledger/reconcile/bill.ts';
import { readBill } from '../../../../plugins/ledger/reconcile/read-bill.ts';
import { readFixture } from './fixtures.ts';

type Line = readonly [day: string, name: string, figures: BillFigures];

/** Each item, with the model that it names, or else its text. */
const readLines = (text: string): readonly Line[] =>
  readBill(text).items.map((item) => [item.day, item.model ?? `(${item.text})`, sumItems([item])]);

const [NINETEENTH, TWENTIETH] = ['2026-11-19', '2026-11-20'];
const GPT = 'gpt-5.2-2025-12-11';
const SONNET = 'claude-sonnet-4-5-20250929';
const cost = (nano: bigint): BillFigures => ({ cost: nano });
const sonnetUsage = { input: 1_500n, cacheRead: 200n, cacheWrite: 1_500n, output: 500n, webSearches: 10n };

const exports: readonly (readonly [file: string, format: string, lines: readonly Line[]])[] = [
  [
    'openai-costs.json',
    'openai-costs',
    [
      [NINETEENTH, GPT, cost(60_000_000n)],
      [NINETEENTH, GPT, cost(1_200n)],
      [NINETEENTH, 'gpt-5.2', cost(40_000_000n)],
      [NINETEENTH, '(web search tool calls)', cost(30_000_000n)],
    ],
  ],
  [
    'openai-costs.csv',
    'openai-costs',
    [
      [NINETEENTH, GPT, cost(60_000_000n)],
      [NINETEENTH, GPT, cost(1_200n)],
      [NINETEENTH, '(web search tool calls)', cost(30_000_000n)],
    ],
  ],
  [
    'openai-usage.json',
    'openai-usage',
    [
      [TWENTIETH, GPT, { requests: 5n, input: 150n, cacheRead: 800n, cacheWrite: 50n, output: 500n }],
      [TWENTIETH, GPT, { webSearches: 3n }],
      [TWENTIETH, 'gpt-image-1', { requests: 2n, images: 2n }],
    ],
  ],
  [
    'openai-usage.csv',
    'openai-usage',
    [
      [TWENTIETH, GPT, { requests: 5n, input: 200n, cacheRead: 800n, output: 500n }],
      [TWENTIETH, GPT, { requests: 1n, input: 10n, cacheRead: 0n, output: 1n }],
    ],
  ],
  [
    'anthropic-costs.json',
    'anthropic-costs',
    [
      [TWENTIETH, SONNET, cost(1_237_891_200n)],
      [TWENTIETH, SONNET, cost(100n)],
      [TWENTIETH, '(Web Search Usage)', cost(300_000_000n)],
    ],
  ],
  [
    'anthropic-costs.csv',
    'anthropic-costs',
    [
      [TWENTIETH, 'Claude Sonnet 4.5', cost(1_240_000_000n)],
      [TWENTIETH, 'Claude Sonnet 4.5', cost(500_000_000n)],
      [TWENTIETH, '(web_search)', cost(300_000_000n)],
    ],
  ],
  ['anthropic-usage.json', 'anthropic-usage', [[TWENTIETH, SONNET, sonnetUsage]]],
  ['anthropic-usage.csv', 'anthropic-usage', [[TWENTIETH, SONNET, sonnetUsage]]],
  [
    'google-billing.jsonl',
    'google-billing',
    [
      [NINETEENTH, '(Gemini 2.5 Flash GA Text Input - Predictions)', cost(1_000_000_000n)],
      [NINETEENTH, '(Gemini 2.5 Flash GA Text Output - Predictions)', cost(500n)],
      [TWENTIETH, '(Gemini 3.0 Pro Image Output)', cost(1_000_000_000n)],
      [TWENTIETH, '(Grounding with Google Search)', cost(70_000_000n)],
      [TWENTIETH, '(Compute Engine)', cost(12_500_000_000n)],
      [TWENTIETH, '(Vertex AI, tax)', cost(190_000_000n)],
    ],
  ],
  [
    'google-billing.csv',
    'google-billing',
    [
      [NINETEENTH, '(Gemini 2.5 Flash GA Text Input - Predictions)', cost(1_000_000_000n)],
      [NINETEENTH, '(Gemini 2.5 Flash GA Text Output - Predictions)', cost(400_000_000n)],
    ],
  ],
];

describe('exports of vendors', () => {
  for (const [file, format, lines] of exports)
    it(`the items of ${file} are read, and its format is detected`, () => {
      const text = readFixture(file);
      expect(readBill(text).format).to.equal(format);
      expect(readLines(text)).to.deep.equal(lines);
    });

  it('cache reads and writes are no uncached input, also if only all input is reported', () => {
    const text = readFixture('openai-usage.json').replace('"input_uncached_tokens": 150,', '');
    expect(readLines(text)[0]?.[2].input).to.equal(150n);
  });

  it('the days of a report include those on which the vendor charged nothing', () => {
    const daysOf = (file: string) => [...new Set(readBill(readFixture(file)).days)];
    expect(daysOf('openai-costs.json')).to.deep.equal([NINETEENTH, TWENTIETH]);
    expect(daysOf('openai-costs.csv')).to.deep.equal([NINETEENTH, TWENTIETH]);
    expect(daysOf('anthropic-costs.json')).to.deep.equal([TWENTIETH, '2026-11-21']);
  });

  it('a report that has more pages is marked, and several pages are read together', () => {
    const page = readFixture('openai-costs.json');
    expect(readBill(page).hasMore).to.equal(true);
    const last = readFixture('openai-costs.json').replace('"has_more": true', '"has_more": false');
    const pages = readBill(`[${page},${last}]`);
    expect([pages.hasMore, pages.items.length]).to.deep.equal([false, 8]);
    const lines = [page, last].map((text) => text.replaceAll(/\s*\n\s*/g, ' ')).join('\n');
    expect(readBill(lines).items).to.deep.equal(pages.items);
  });

  it('only tax and other services of Google are no usage of models', () =>
    expect(
      readBill(readFixture('google-billing.jsonl')).items.flatMap(({ isOutside, text }) => (isOutside ? [text] : [])),
    ).to.deep.equal(['Compute Engine', 'Vertex AI, tax']));

  const change = (file: string, from: string, to: string): string => {
    const text = readFixture(file);
    expect(text).to.include(from);
    return text.replace(from, to);
  };
  const unreadable: readonly (readonly [title: string, text: () => string, message: RegExp])[] = [
    ['an amount', () => change('anthropic-costs.json', '"123.78912"', '"12,5"'), /amount is "12,5"/],
    ['a missing amount', () => change('openai-costs.json', '"value": 0.06, ', ''), /amount\.value is missing/],
    [
      'a day',
      () => change('google-billing.jsonl', '2026-11-19 23', '2026-02-30 23'),
      /usage_start_time is "2026-02-30/,
    ],
    ['a credit', () => change('google-billing.jsonl', '"amount":-0.0143,', ''), /credit in the bill has no amount/],
    ['credits in CSV', () => change('google-billing.csv', '-0.2143', '[{'), /credits is "\[\{"/],
    ['another currency', () => change('openai-costs.json', '"usd"', '"eur"'), /is in eur/],
    [
      'another currency without a rate',
      () => change('google-billing.jsonl', '"currency_conversion_rate":0.9', '"currency_conversion_rate":0'),
      /currency_conversion_rate/,
    ],
  ];
  for (const [title, text, message] of unreadable)
    it(`refuses a bill, and names the field, instead of dropping ${title}`, () =>
      expect(() => readBill(text())).to.throw(message));

  it('says what is expected of a file of no known format, and of a forced one', () => {
    expect(() => readBill('name,value\na,1\n')).to.throw(
      /no known format.*openai-costs: .*\/v1\/organization\/costs.*anthropic-costs: .*google-billing: .*plain: /s,
    );
    expect(() => readBill('{"data":[]}', 'anthropic-costs')).to.throw(/Expected is:\s+anthropic-costs: /);
    expect(() => readBill('{"data":[],\n"a"', 'anthropic-costs')).to.throw(/neither JSON nor/);
  });

  it('a forced format is used instead of the detected one', () => {
    const text = readFixture('anthropic-usage.csv');
    expect([readBill(text).format, readBill(text, 'plain').format]).to.deep.equal(['anthropic-usage', 'plain']);
  });
});
