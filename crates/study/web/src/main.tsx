import { render } from 'preact';

import 'chessground/assets/chessground.base.css';
import 'chessground/assets/chessground.cburnett.css';
import './style.css';

import { keepAnalysing } from './state/analysis';
import { keepGame } from './state/game';
import { keepPlaying } from './state/play';
import { keepReviewing } from './state/review';
import { keepSettings } from './state/settings';
import { App } from './ui/app';

keepSettings();
keepGame();
keepReviewing();
keepPlaying();
keepAnalysing();

const page = document.getElementById('page');
if (page) render(<App />, page);
