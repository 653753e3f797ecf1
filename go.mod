module benchlet.com/incidentlib

go 1.26
