import { expect } from 'chai';
import {
  exchangeToDollars,
  readCents,
  readDecimal,
  readDollars,
  toNanoDollars,
} from '../../../../plugins/ledger/reconcile/money.ts';
import { createModelNames } from '../../../../plugins/ledger/reconcile/model-names.ts';
import { readDay } from '../../../../plugins/ledger/reconcile/read-day.ts';

describe('readDecimal, readDollars and readCents', () => {
  const numbers: readonly (readonly [text: string, nano: bigint | undefined])[] = [
    ['0.06', 60_000_000n],
    ['1.2e-6', 1_200n],
    ['1.2E+2', 120_000_000_000n],
    ['.5', 500_000_000n],
    ['$1,234.000000001', 1_234_000_000_001n],
    ['-$0.25', -250_000_000n],
    ['$-0.25', -250_000_000n],
    ['123456789.123456789', 123_456_789_123_456_789n],
    ['0.0000000005', 1n],
    ['-0.0000000005', -1n],
    ['0.00000000049', 0n],
    ['1,5', undefined],
    ['1e99', undefined],
    ['', undefined],
    ['free', undefined],
    ['--1', undefined],
  ];
  for (const [text, nano] of numbers)
    it(`a decimal is read exactly, or not at all: "${text}"`, () => {
      const read = readDollars(text);
      expect(read === undefined ? undefined : toNanoDollars(read)).to.equal(nano);
    });

  it('a cent is a hundredth of a dollar', () => expect(readCents('123.5')).to.equal(readDollars('1.235')));

  it('adding up many small amounts loses nothing', () => {
    const small = readDollars('0.0000000004') ?? 0n;
    expect(toNanoDollars(small)).to.equal(0n);
    expect(toNanoDollars(small * 10_000n)).to.equal(4_000n);
  });

  it('rounds a count to a whole number', () => expect(readDecimal('34285.0', 0)).to.equal(34_285n));

  it('another currency is converted at its rate to the dollar', () =>
    expect(toNanoDollars(exchangeToDollars(readDollars('0.9') ?? 0n, readDollars('0.9') ?? 0n))).to.equal(
      1_000_000_000n,
    ));
});

describe('readDay', () => {
  const zone = process.env['TZ'];
  before(() => (process.env['TZ'] = 'America/Los_Angeles'));
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  const days: readonly (readonly [text: string, day: string | undefined])[] = [
    ['2026-11-20', '2026-11-20'],
    ['2026-11-20T00:30:00', '2026-11-20'],
    ['2026-11-20 00:30:00', '2026-11-20'],
    ['2026-11-20T20:30:00', '2026-11-20'],
    ['2026-11-20 20:30', '2026-11-20'],
    ['2026-11-20 23:30:00 UTC', '2026-11-20'],
    ['2026-11-20T23:59:59.999999Z', '2026-11-20'],
    ['2026-11-20T00:30:00+01:00', '2026-11-19'],
    ['2026-11-20 00:30:00+01', '2026-11-19'],
    ['2026-11-20 17:00:00-0800', '2026-11-21'],
    ['1795132800', '2026-11-20'],
    ['1795132799', '2026-11-19'],
    ['1.7951328E9', '2026-11-20'],
    ['2026-02-30', undefined],
    ['2026-02-30T10:00:00Z', undefined],
    ['2026-11-20T25:00:00Z', undefined],
    ['20.11.2026', undefined],
    ['Total', undefined],
  ];
  for (const [text, day] of days)
    it(`the day of "${text}" in UTC is ${day}, in any time zone of the machine`, () =>
      expect(readDay(text)).to.equal(day));
});

describe('createModelNames', () => {
  const known = [
    'gpt-5.2',
    'gpt-4o-2024-08-06',
    'o3',
    'claude-sonnet-4-5',
    'claude-3-5-haiku-20241022',
    'gemini-2.5-flash-preview-tts',
    'gemini-2.5-flash-lite-preview-09-2025',
    'gemini-2.5-flash-001',
    'gemini-2.5-flash',
    'gemini-2.5-flash-image',
    'gemini-3-pro-preview',
    'gemini-2.0-flash-001',
  ];
  const nameOf = createModelNames(known);
  const byName: readonly (readonly [billed: string, name: string])[] = [
    ['gpt-5.2', 'gpt-5.2'],
    ['gpt-5.2-2025-12-11', 'gpt-5.2'],
    ['gpt-5.2-mini-2025-12-11', 'gpt-5.2-mini-2025-12-11'],
    ['gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'],
    ['gpt-4o', 'gpt-4o-2024-08-06'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['Claude Sonnet 4.5', 'claude-sonnet-4-5'],
    ['Claude Haiku 3.5', 'claude-3-5-haiku-20241022'],
    ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['publishers/google/models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['unknown-1', 'unknown-1'],
  ];
  for (const [billed, name] of byName)
    it(`the billed model ${billed} is ${name} in the ledger`, () =>
      expect(nameOf({ day: '', model: billed, figures: {} })).to.equal(name));

  const bySku: readonly (readonly [text: string, name: string | undefined])[] = [
    ['Gemini 2.5 Flash GA Text Input - Predictions', 'gemini-2.5-flash'],
    ['Generate content input token count gemini 2.5 flash short input text', 'gemini-2.5-flash'],
    ['Gemini 2.5 Flash Image Input - Predictions', 'gemini-2.5-flash'],
    ['Gemini 2.5 Flash Image Image Output - Predictions', 'gemini-2.5-flash-image'],
    ['Gemini 2.5 Flash Image Output - Predictions', 'gemini-2.5-flash-image'],
    ['Gemini 2.5 Flash Lite Text Input - Predictions', 'gemini-2.5-flash-lite-preview-09-2025'],
    ['Gemini 2.5 Flash TTS Audio Output - Predictions', 'gemini-2.5-flash-preview-tts'],
    ['Gemini 2.5 Flash Native Audio Output', undefined],
    ['Gemini 3.0 Pro Lite Text Input', undefined],
    ['Gemini 3.0 Pro Text Output - Predictions', 'gemini-3-pro-preview'],
    ['Gemini 3.0 Pro Image Output', undefined],
    ['Gemini 2.0 Flash GA Text Input - Predictions', 'gemini-2.0-flash-001'],
    ['Gemini 12.5 Flash Text Input', undefined],
    ['Grounding with Google Search', undefined],
    ['web search tool calls', undefined],
  ];
  for (const [text, name] of bySku)
    it(`the SKU "${text}" is of ${name ?? 'no known model'}`, () =>
      expect(nameOf({ day: '', text, figures: {} })).to.equal(name));

  it('a cost that is no usage of models has no model', () =>
    expect(nameOf({ day: '', text: 'Gemini 2.5 Flash', isOutside: true, figures: {} })).to.equal(undefined));
});
