import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { nameSeriesColor, readColor, useTheme } from './colors.js';
import { html } from './html.js';

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {readonly number[]} values one for each time
 */
/**
 * Series upon each other: the first at the bottom.
 * @typedef {object} ChartProps
 * @property {string} summary what it shows, for those who cannot see it
 * @property {readonly number[]} times unix seconds, ascending
 * @property {readonly Series[]} series
 * @property {'bars' | 'areas'} shape
 * @property {(value: number) => string} write
 * @property {readonly string[]} [colors] names of CSS variables
 */

const HEIGHT = 220;

/** @param {readonly Series[]} series @param {number} length */
const stack = (series, length) => {
  let below = Array.from({ length }, () => 0);
  return series.map(({ values }) => (below = below.map((value, index) => value + (values[index] ?? 0))));
};

/**
 * @param {ChartProps} props
 * @param {number} width
 * @returns {uPlot.Options}
 */
const describeChart = ({ series, shape, write, colors }, width) => {
  const axis = { stroke: readColor('soft'), grid: { stroke: readColor('line'), width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
  const paths = shape === 'bars' ? uPlot.paths.bars?.({ size: [0.8, 48], gap: 1 }) : uPlot.paths.linear?.();
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    legend: { show: false },
    cursor: { show: false },
    padding: [12, 12, 0, 0],
    scales: { y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [axis, { ...axis, size: 64, values: (_chart, ticks) => ticks.map(write) }],
    series: [
      {},
      // The highest sum is drawn first, and each lower one over it.
      ...series
        .map((_one, index) => readColor(colors?.[index] ?? nameSeriesColor(index)))
        .toReversed()
        .map((color) => ({ stroke: color, fill: color, width: shape === 'bars' ? 0 : 1, points: { show: false }, ...(paths === undefined ? {} : { paths }) })),
    ],
  };
};

/** @param {ChartProps} props */
export const Chart = (props) => {
  const { summary, times, series } = props;
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const theme = useTheme();
  const shape = JSON.stringify([theme, props.shape, series.map(({ name }) => name)]);
  const chart = useRef(/** @type {uPlot | null} */ (null));
  /** @type {uPlot.AlignedData} */
  const data = [[...times], ...stack(series, times.length).toReversed()];

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new uPlot(describeChart(props, element.clientWidth), data, element);
    chart.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [shape, props.write]);
  useEffect(() => chart.current?.setData(data), [data]);
  return html`<div class="chart" role="img" aria-label=${summary} ref=${place}></div>`;
};
