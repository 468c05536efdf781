"""Systems of linear equations and inequalities over the integers: their form, and how they are solved."""
