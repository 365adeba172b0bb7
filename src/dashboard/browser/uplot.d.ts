// The types of the module that the server gives out as uplot.js: the library's own file.
import uPlot from 'uplot';

export default uPlot;
