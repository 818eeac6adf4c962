//! What the environment shows and takes, beside the model.

use super::*;
