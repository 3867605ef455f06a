import { expect } from 'chai';
import { sumItems } from '../../../../plugins/ledger/reconcile/bill.ts';
import { readCsvRows } from '../../../../core/canonical/text/csv.ts';
import { readBill } from '../../../../plugins/ledger/reconcile/read-bill.ts';

const line = { day: '2026-11-20', model: 'gpt-4.1' };
const DAY = 1_795_132_800;

const linesOf = (text: string) =>
  readBill(text).items.map(({ day, model, ...item }) => ({ day, model, figures: sumItems([{ day, ...item }]) }));

describe('readBill and readCsvRows', () => {
  const shapes: readonly (readonly [title: string, text: string, expected: object])[] = [
    [
      'CSV with only a date, a model and a cost',
      'date,model,cost\n2026-11-20,gpt-4.1,12.5\n',
      { ...line, figures: { cost: 12_500_000_000n } },
    ],
    [
      'CSV with quotes, a byte order mark and Windows line endings',
      '\uFEFF"Date","Model","Cost USD"\r\n"2026-11-20","gpt-4.1","$1,234.000000001"\r\n',
      { ...line, figures: { cost: 1_234_000_000_001n } },
    ],
    [
      'the CSV of the usage API',
      'start,target,exchanges,tokens.input,tokens.cacheRead,tokens.cacheWrite5m,' +
        'tokens.cacheWrite1h,tokens.cacheWrite12h,tokens.output,units.webSearches,units.images,units.seconds,cost\n' +
        '2026-11-20T00:00:00.000Z,cloud/gpt-4.1,3,100,30,10,4,1,7,8,9,2.5,0.5\n',
      {
        ...line,
        figures: {
          requests: 3n,
          input: 55n,
          cacheRead: 30n,
          cacheWrite: 15n,
          output: 7n,
          webSearches: 8n,
          images: 9n,
          seconds: 3n,
          cost: 500_000_000n,
        },
      },
    ],
    [
      'the usage CSV of a vendor console',
      'usage_date_utc,model_version,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,' +
        'usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens\n' +
        '2026-11-20,gpt-4.1,11,2,3,4,5\n',
      { ...line, figures: { input: 11n, cacheRead: 4n, cacheWrite: 5n, output: 5n } },
    ],
    [
      'the usage report of OpenAI',
      JSON.stringify({
        object: 'page',
        data: [
          {
            object: 'bucket',
            start_time: DAY,
            end_time: DAY + 86_400,
            results: [
              {
                object: 'organization.usage.completions.result',
                input_tokens: 100,
                input_cached_tokens: 80,
                output_tokens: 9,
                num_model_requests: 2,
                model: 'gpt-4.1',
                project_id: null,
              },
            ],
          },
        ],
      }),
      { ...line, figures: { requests: 2n, input: 20n, cacheRead: 80n, output: 9n } },
    ],
    [
      'the costs report of OpenAI',
      JSON.stringify({
        object: 'page',
        data: [
          { start_time: DAY, results: [{ amount: { value: 0.06, currency: 'usd' }, line_item: 'gpt-4.1, input' }] },
        ],
      }),
      { day: '2026-11-20', model: 'gpt-4.1', figures: { cost: 60_000_000n } },
    ],
    [
      'the usage report of Anthropic',
      JSON.stringify({
        data: [
          {
            starting_at: '2026-11-20T00:00:00Z',
            ending_at: '2026-11-21T00:00:00Z',
            results: [
              {
                uncached_input_tokens: 1_500,
                cache_creation: { ephemeral_1h_input_tokens: 1_000, ephemeral_5m_input_tokens: 500 },
                cache_read_input_tokens: 200,
                output_tokens: 500,
                model: 'gpt-4.1',
              },
            ],
          },
        ],
      }),
      { ...line, figures: { input: 1_500n, cacheRead: 200n, cacheWrite: 1_500n, output: 500n } },
    ],
    [
      'the cost report of Anthropic, which is in cents',
      JSON.stringify({
        data: [
          {
            starting_at: '2026-11-20T00:00:00Z',
            results: [{ currency: 'USD', amount: '123.78912', model: 'gpt-4.1', token_type: 'output_tokens' }],
          },
        ],
      }),
      { ...line, figures: { cost: 1_237_891_200n } },
    ],
  ];
  for (const [title, text, expected] of shapes)
    it(`a bill is read: ${title}`, () => expect(linesOf(text)).to.deep.equal([expected]));

  it('reading a bill skips totals and lines without a model', () => {
    expect(linesOf('date,model,cost\n2026-11-20,gpt-4.1,1\n2026-11-20,,3\nTotal,,4\n')).to.have.length(1);
  });

  for (const text of [
    '',
    'hello',
    '{"data": []}',
    '[1, 2]',
    '{ not json',
    'date,model\n2026-11-20,gpt-4.1\n',
    'date,model,cost\nyesterday,gpt-4.1,1\n',
    'date,model,cost\n2026-11-20,gpt-4.1,free\n',
  ]) {
    it(`refuses text without a line of a bill: ${JSON.stringify(text)}`, () =>
      expect(() => readBill(text)).to.throw(/bill/));
  }

  it('reads CSV cells with commas, quotes and line breaks', () => {
    expect(readCsvRows('a,"b, ""c""\nd",\n\n,,e')).to.deep.equal([
      ['a', 'b, "c"\nd', ''],
      ['', '', 'e'],
    ]);
    expect(readCsvRows('\uFEFFa,""\r\n"b"\r\n')).to.deep.equal([['a', ''], ['b']]);
  });

  for (const [text, line] of [
    ['name,models\nann,simulator/"*"\n', 2],
    ['name,models\n\nann,"simulator/*\n', 3],
    ['name,models\n"an"n,x', 2],
    ['na"me', 1],
    ['"', 1],
  ] as const)
    it(`refuses CSV whose quotes leave the cells unclear: ${JSON.stringify(text)}`, () =>
      expect(() => readCsvRows(text)).to.throw(`Line ${line} of the table has a quote in the wrong place.`));
});
