// Types of the chart library, which the server serves as uplot.js.
import uPlot from 'uplot';

export default uPlot;
