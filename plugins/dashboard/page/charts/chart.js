import { useEffect, useRef } from 'preact/hooks';
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
 * @property {string} summary text alternative
 * @property {readonly number[]} times unix seconds, ascending
 * @property {readonly Series[]} series
 * @property {'bars' | 'areas'} shape
 * @property {string} [unit] prefix of the labels of the y axis
 * @property {readonly [from: number, to: number]} span range of the x axis
 * @property {readonly number[]} marks times that may be labeled on the x axis
 * @property {(seconds: number) => string} formatMark
 * @property {readonly string[]} [colors] names of CSS variables
 */

const HEIGHT = 220;
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
 * @param {number} width
 * @returns {uPlot.Options}
 */
const describeChart = (readProps, width) => {
  const { series, shape, colors } = readProps();
  const axis = {
    stroke: readColor('muted'),
    grid: { stroke: readColor('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const paths = shape === 'bars' ? uPlot.paths.bars?.({ size: [0.8, 48], gap: 1 }) : uPlot.paths.linear?.();
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
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
      { ...axis, size: 64, values: (_chart, ticks) => formatTicks(ticks, readProps().unit) },
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

/** @param {ChartProps} props */
export const Chart = (props) => {
  const { summary, times, series } = props;
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
      describeChart(() => latest.current, element.clientWidth),
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
  return html`<div class="chart" role="img" aria-label=${summary} ref=${container}></div>`;
};
