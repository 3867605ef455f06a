/** @import { ComponentChildren } from 'preact' */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { html } from '../components/html.js';
import { formatTicks } from '../data/format.js';
import { nameSeriesColor, readColor, useTheme } from './colors.js';

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {readonly number[]} values one for each time
 */
/**
 * A stacked chart with the first series at the bottom.
 * @typedef {object} ChartProps
 * @property {string} title
 * @property {ComponentChildren} [note] at the right of the title
 * @property {string} summary text alternative
 * @property {readonly number[]} times unix seconds, ascending
 * @property {readonly Series[]} series
 * @property {'bars' | 'areas'} shape
 * @property {string} [unit] prefix of the labels of the y axis
 * @property {readonly [from: number, to: number]} span range of the x axis
 * @property {readonly number[]} marks times that may be labeled on the x axis
 * @property {(seconds: number) => string} formatMark
 * @property {(seconds: number) => string} formatTime for the time under the pointer
 * @property {(value: number) => string} formatValue
 * @property {ComponentChildren} [children] below the legend
 * @property {readonly string[]} [colors] names of CSS variables
 */

const HEIGHT = 200;
/** Minimum distance of labels on the x axis, in pixels. */
const MARK_WIDTH = 64;

/** @param {readonly Series[]} series @param {number} length */
const stack = (series, length) => {
  let below = Array.from({ length }, () => 0);
  return series.map(({ values }) => (below = below.map((value, index) => value + (values[index] ?? 0))));
};

/** @param {readonly number[]} marks @param {number} width */
const thinOut = (marks, width) => {
  const step = Math.ceil((marks.length * MARK_WIDTH) / Math.max(width - 80, MARK_WIDTH));
  return marks.filter((_mark, index) => index % step === 0);
};

/**
 * @param {() => ChartProps} readProps returns the latest props, since the chart outlives a render
 * @param {(index: number | undefined) => void} point receives the index of the time under the pointer
 * @param {number} width
 * @returns {uPlot.Options}
 */
const describeChart = (readProps, point, width) => {
  const { series, shape, colors } = readProps();
  const axis = {
    stroke: readColor('muted'),
    grid: { stroke: readColor('line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  const paths = shape === 'bars' ? uPlot.paths.bars?.({ size: [0.8, 48], gap: 1 }) : uPlot.paths.linear?.();
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => point((cursor.left ?? -1) < 0 ? undefined : (cursor.idx ?? undefined))] },
    padding: [10, 12, 0, 0],
    scales: {
      x: { time: false, range: () => [...readProps().span] },
      y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        splits: (chart) => thinOut(readProps().marks, chart.width),
        values: (_chart, marks) => marks.map(readProps().formatMark),
      },
      { ...axis, size: 54, values: (_chart, ticks) => formatTicks(ticks, readProps().unit) },
    ],
    series: [
      {},
      // The largest sum is drawn first, and smaller ones on top of it.
      ...series
        .map((_one, index) => readColor(colors?.[index] ?? nameSeriesColor(index)))
        .toReversed()
        .map((color) => ({
          stroke: color,
          fill: color,
          width: shape === 'bars' ? 0 : 1,
          points: { show: false },
          ...(paths === undefined ? {} : { paths }),
        })),
    ],
  };
};

/**
 * Draws the data into an element, and again when its width, its colors or its series change.
 * @param {ChartProps} props
 * @param {(index: number | undefined) => void} point
 */
const useDrawing = (props, point) => {
  const { times, series } = props;
  const container = useRef(/** @type {HTMLDivElement | null} */ (null));
  const theme = useTheme();
  const shape = JSON.stringify([theme, props.shape, series.map(({ name }) => name)]);
  const chart = useRef(/** @type {uPlot | null} */ (null));
  const latest = useRef(props);
  latest.current = props;
  /** @type {uPlot.AlignedData} */
  const data = [[...times], ...stack(series, times.length).toReversed()];
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const drawn = new uPlot(
      describeChart(() => latest.current, point, element.clientWidth),
      data,
      element,
    );
    chart.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [shape]);
  useEffect(() => chart.current?.setData(data), [data]);
  return container;
};

/**
 * The names and colors of the series of a chart.
 * @param {{ names: readonly string[], colors?: readonly string[], values?: readonly string[] | undefined }} props
 */
const Legend = ({ names, colors, values }) => html`
  <ul class="legend">
    ${names.map((name, index) => {
      const color = colors?.[index] ?? nameSeriesColor(index);
      return html`<li key=${name}>
        <span class=${`swatch ${color}`} aria-hidden="true"></span>${name}${
          values !== undefined && html` <strong>${values[index]}</strong>`
        }
      </li>`;
    })}
  </ul>
`;

/** A chart with its title and legend. The legend has the values at the pointer. @param {ChartProps} props */
export const Chart = (props) => {
  const { title, note, summary, times, series, colors, formatTime, formatValue, children } = props;
  const [index, setIndex] = useState(/** @type {number | undefined} */ (undefined));
  const container = useDrawing(props, setIndex);
  const time = index === undefined ? undefined : times[index];
  const values = index === undefined ? undefined : series.map((one) => formatValue(one.values[index] ?? 0));
  return html`
    <figure class="card">
      <figcaption>${title} <span class="muted">${time === undefined ? note : formatTime(time)}</span></figcaption>
      <div class="chart" role="img" aria-label=${summary} ref=${container}></div>
      <${Legend} names=${series.map(({ name }) => name)} colors=${colors} values=${values} />
      ${children}
    </figure>
  `;
};
