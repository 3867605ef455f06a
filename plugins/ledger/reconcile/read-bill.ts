import { invalidRequest } from '../../../core/api/index.ts';
import type { Bill } from './bill.ts';
import { readExportFile } from './export-file.ts';
import { anthropicCosts, anthropicUsage } from './formats/anthropic.ts';
import type { BillFormat } from './formats/format.ts';
import { googleBilling } from './formats/google.ts';
import { openaiCosts, openaiUsage } from './formats/openai.ts';
import { plainBill } from './formats/plain.ts';

/** The first one that recognizes a file reads it. */
const formats: readonly BillFormat[] = [
  openaiCosts,
  openaiUsage,
  anthropicCosts,
  anthropicUsage,
  googleBilling,
  plainBill,
];
export const formatNames: readonly string[] = formats.map(({ name }) => name);

const listExpected = (expected: readonly BillFormat[]): string =>
  expected.map(({ name, expects }) => `\n  ${name}: ${expects}`).join('');

export interface ReadBill extends Bill {
  readonly format: string;
}

/**
 * @param forced the name of a format; absent: the format is detected
 * @throws GatewayError 400 when the text is no bill that can be read; it says what is expected
 */
export function readBill(text: string, forced?: string): ReadBill {
  const file = readExportFile(text);
  const format = formats.find((candidate) =>
    forced === undefined ? candidate.matches(file) : candidate.name === forced,
  );
  if (format === undefined)
    throw invalidRequest('bill', `The bill is of no known format. Expected is one of:${listExpected(formats)}`);
  const bill = format.read(file);
  if (bill.items.length > 0 || bill.days.length > 0) return { ...bill, format: format.name };
  throw invalidRequest('bill', `The bill has no line that can be read. Expected is:${listExpected([format])}`);
}
