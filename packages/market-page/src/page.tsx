/** The entry of the market page: its styles, and the app in the element `#app`. */
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/frame.css';
import './style/list.css';
import './style/detail.css';
import { render } from 'preact';
import { App } from './app.tsx';

const root = document.getElementById('app');
if (root) render(<App />, root);
