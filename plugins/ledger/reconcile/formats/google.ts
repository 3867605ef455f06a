import { invalidRequest, type JsonObject } from '../../../../core/api/index.ts';
import { isObject } from '../../../../core/api/codec.ts';
import type { BillItem } from '../bill.ts';
import { findField, flatten, type ExportFile, type Fields } from '../export-file.ts';
import { exchangeToDollars, readDollars } from '../money.ts';
import { requireDay, requireField, type BillFormat } from './format.ts';

const DAY = 'usage_start_time';

/** The fields of a row. CSV has nested names with a dot or an underscore, and credits as JSON or as their sum. */
interface Row {
  readonly fields: Fields;
  readonly credits: readonly unknown[];
}

const readRow = (object: JsonObject): Row => ({
  fields: new Map(flatten('', object)),
  credits: Array.isArray(object['credits']) ? object['credits'] : [],
});

const parseCredits = (text: string | undefined): readonly unknown[] => {
  if (text === undefined || !/^\s*\[/.test(text)) return text === undefined ? [] : [{ amount: text }];
  try {
    return [JSON.parse(text)].flat();
  } catch {
    throw invalidRequest('bill', `credits is "${text.slice(0, 80)}", which is neither a number nor a JSON list.`);
  }
};

const listRows = (file: ExportFile): readonly Row[] =>
  file.kind === 'json'
    ? file.objects.map(readRow)
    : file.lines.map((fields) => ({
        fields,
        credits: parseCredits(findField(fields, 'credits', 'credits.amount', 'credits_amount')),
      }));

/** Credits are negative. @throws GatewayError 400 for a credit without an amount: it must not be dropped */
const readCredit = (credit: unknown): bigint => {
  const amount = isObject(credit) ? readDollars(String(credit['amount'])) : undefined;
  if (amount !== undefined) return amount;
  throw invalidRequest('bill', `A credit in the bill has no amount: ${JSON.stringify(credit).slice(0, 200)}`);
};

/** The services that bill for models; all others of the project are listed, and not compared. */
const MODEL_SERVICE = /gemini|generative language|vertex ai|agent platform|claude/i;

const readMoney = ({ fields, credits }: Row): bigint => {
  const cost = requireField(fields, ['cost'], readDollars);
  const net = credits.reduce<bigint>((sum, credit) => sum + readCredit(credit), cost);
  const currency = findField(fields, 'currency') ?? 'USD';
  if (currency === 'USD') return net;
  const rate = readDollars(findField(fields, 'currency_conversion_rate') ?? '') ?? 0n;
  if (rate > 0n) return exchangeToDollars(net, rate);
  throw invalidRequest(
    'bill',
    `The bill is in ${currency}: include the column currency_conversion_rate in the export.`,
  );
};

const readItem = (row: Row): BillItem => {
  const { fields } = row;
  const service = findField(fields, 'service.description', 'service_description', 'service') ?? '';
  const sku = findField(fields, 'sku.description', 'sku_description', 'sku') ?? '';
  const type = findField(fields, 'cost_type') ?? 'regular';
  const isOutside = !MODEL_SERVICE.test(service) || type !== 'regular';
  return {
    day: requireDay(fields, DAY),
    text: isOutside ? [service, ...(type === 'regular' ? [] : [type])].join(', ') : sku,
    isOutside,
    figures: {},
    money: readMoney(row),
  };
};

/**
 * The standard or detailed export of Cloud Billing to BigQuery, as JSON lines or CSV. What is charged is `cost` with
 * `credits` added. Rows are of hours: each counts on the day, in UTC, on which its usage started.
 * https://docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage
 */
export const googleBilling: BillFormat = {
  name: 'google-billing',
  expects:
    'rows of the Cloud Billing export in BigQuery, as JSON lines or CSV, with service, sku, usage_start_time, cost ' +
    'and credits',
  matches: (file) =>
    file.kind === 'csv'
      ? file.columns.has(DAY) && file.columns.has('cost')
      : file.objects.some((object) => DAY in object && 'cost' in object),
  read: (file) => {
    const items = listRows(file).map(readItem);
    return { days: items.map(({ day }) => day), items };
  },
};
